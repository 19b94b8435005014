import Conformance
import DeviceRuntime
import FoundationEssentials
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("PWM on the kernel", .serialized)
    struct PWMTests {
        private let kernel: Kernel
        private static let chip = "/sys/class/pwm/pwmchip0"

        init() throws { kernel = try Kernel() }

        private static func attributes() throws -> [String] {
            try ["period", "duty_cycle", "enable"].map { try text("\(chip)/pwm0/\($0)") }
        }

        @Test("A servo's pulse reaches the kernel, and closing ends it")
        func servo() async throws {
            let seen = try await kernel.run { _, board in
                let output = try await board.makePWMOutput("PWM0", consumer: "arm")
                // The period may be an earlier test's: the kernel keeps it.
                var seen = [try Array(Self.attributes().dropFirst())]
                try await output.setPeriod(.milliseconds(20))
                try await output.setPulseWidth(.microseconds(1500))
                try await output.enable()
                seen.append(try Self.attributes())
                try await output.setPulseWidth(.microseconds(2000))
                seen.append(try Self.attributes())
                try await output.disable()
                seen.append(try Self.attributes())
                await output.close()
                await output.close()
                #expect(await failure { try await output.enable() }?.code == .closed)
                return seen
            }
            #expect(
                seen == [
                    ["0", "0"], ["20000000", "1500000", "1"], ["20000000", "2000000", "1"],
                    ["20000000", "2000000", "0"],
                ])
            #expect(!FileManager.default.fileExists(atPath: "\(Self.chip)/pwm0"))
        }

        @Test("Steps out of order are refused, say why, and change nothing")
        func order() async throws {
            try await kernel.run { _, board in
                let output = try await board.makePWMOutput("PWM0", consumer: "arm")
                #expect(await failure { try await output.enable() }?.code == .invalidArgument)
                #expect(await failure { try await output.setPulseWidth(.zero) }?.code == .invalidArgument)
                #expect(await failure { try await output.setPeriod(.zero) }?.code == .invalidArgument)
                #expect(await failure { try await output.setPulseWidth(.seconds(-1)) }?.code == .invalidArgument)
                try await output.disable()
                try await output.setPeriod(.milliseconds(20))
                try await output.setPulseWidth(.milliseconds(2))
                let width = await failure { try await output.setPulseWidth(.milliseconds(21)) }
                #expect(width?.code == .invalidArgument)
                #expect(width?.description.contains("period 20000000 ns") == true)
                #expect(await failure { try await output.setPeriod(.milliseconds(1)) }?.code == .invalidArgument)
                #expect(try Self.attributes() == ["20000000", "2000000", "0"])
                await output.close()
            }
        }

        @Test("What an earlier process left running is ended, and does not stand in the way")
        func stale() async throws {
            try write("0", to: "\(Self.chip)/export")
            for (attribute, value) in [("period", "20000000"), ("duty_cycle", "15000000"), ("enable", "1")] {
                try write(value, to: "\(Self.chip)/pwm0/\(attribute)")
            }
            try await kernel.run { _, board in
                let output = try await board.makePWMOutput("PWM0", consumer: "arm")
                #expect(try Self.attributes() == ["20000000", "0", "0"])
                try await output.setPeriod(.milliseconds(10))
                #expect(try Self.attributes() == ["10000000", "0", "0"])
                await output.close()
            }
        }

        @Test("A channel that is held, or that the chip lacks, says so")
        func unavailable() async throws {
            try await kernel.run { _, board in
                let output = try await board.makePWMOutput("PWM0", consumer: "arm")
                let held = await failure { _ = try await board.makePWMOutput("PWM0", consumer: "lamp") }
                #expect(held?.code == .busy)
                #expect(held?.description.contains("'arm'") == true)
                let lacking = await failure { _ = try await board.makePWMOutput("PWM1", consumer: "lamp") }
                #expect(lacking?.code == .notFound)
                #expect(lacking?.description.contains("fe20c000.pwm has no channel 1") == true)
                let unknown = await failure { _ = try await board.makePWMOutput("PWM9", consumer: "lamp") }
                #expect(unknown?.description.contains("PWM0, PWM1") == true)
                await output.close()
            }
        }
    }
}
