import Conformance
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import TestSupport
import Testing

extension OnTheKernel {
    /// The real kernel's board, whose wires are reached through sysfs.
    private struct KernelBench: TestBench {
        let kernel: Kernel
        let loop: EventLoop
        let board: any Board
        let terminal: PseudoTerminal

        func pull(_ line: String, to level: Level) throws {
            try wire(line).pull(level == .high ? "pull-up" : "pull-down")
        }

        func level(of line: String) throws -> Level { try wire(line).value == "1" ? .high : .low }

        func pullMISO(to level: Level) throws {
            try kernel.controllerInput.pull(level == .high ? "pull-up" : "pull-down")
        }

        func signal(of channel: String) throws -> PWMSignal {
            let folder = "/sys/class/pwm/pwmchip0/pwm\(channel.dropFirst(3))"
            func nanoseconds(_ name: String) throws -> Duration {
                .nanoseconds(Int(try text("\(folder)/\(name)")) ?? -1)
            }
            return PWMSignal(
                period: try nanoseconds("period"), pulseWidth: try nanoseconds("duty_cycle"),
                isEnabled: try text("\(folder)/enable") == "1")
        }

        func serialSend(_ bytes: [UInt8]) async throws { try await terminal.send(bytes, on: loop) }

        func serialReceived(_ count: Int) async throws -> [UInt8] { try await terminal.receive(count, on: loop) }

        func serialUnplug() throws { terminal.unplug() }

        private func wire(_ line: String) throws -> Kernel.Wire {
            kernel.header(try #require(Int(line.drop { !$0.isNumber })))
        }
    }

    @Suite("Conformance of the real board", .serialized)
    struct ConformanceTests {
        @Test("Behaves as the suite says", arguments: Behaviour.all)
        func behaviour(_ behaviour: Behaviour) async throws {
            let kernel = try Kernel()
            let terminal = try PseudoTerminal()
            var profile = try kernel.stubProfile(as: "STUB").profile
            profile.serialPorts["SERIAL0"] = terminal.path
            try await kernel.run(profile) { loop, board in
                try await behaviour.run(on: KernelBench(kernel: kernel, loop: loop, board: board, terminal: terminal))
            }
        }
    }
}
