import Conformance
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    /// The real kernel's board, whose wires are reached through sysfs.
    private struct KernelBench: TestBench {
        let kernel: Kernel
        let loop: EventLoop
        let board: any Board

        func pull(_ line: String, to level: Level) throws {
            try wire(line).pull(level == .high ? "pull-up" : "pull-down")
        }

        func level(of line: String) throws -> Level { try wire(line).value == "1" ? .high : .low }

        func pullMISO(to level: Level) throws {
            try kernel.controllerInput.pull(level == .high ? "pull-up" : "pull-down")
        }

        func lastBitOnMOSI() throws -> Level { try kernel.controllerOutput.value == "1" ? .high : .low }

        func bindKernelDriver(to address: I2CAddress, on bus: String) throws {
            try write("dummy 0x\(String(address.rawValue, radix: 16))", to: "\(adapter(bus))/new_device")
        }

        func unbindKernelDriver(from address: I2CAddress, on bus: String) throws {
            try write("0x\(String(address.rawValue, radix: 16))", to: "\(adapter(bus))/delete_device")
        }

        private func adapter(_ bus: String) throws -> String {
            let path = try #require(kernel.stubProfile(as: "STUB").profile.i2cBuses[bus])
            return "/sys/class/i2c-dev/\(path.dropFirst("/dev/".count))/device"
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

        private func wire(_ line: String) throws -> Kernel.Wire {
            kernel.header(try #require(Int(line.drop { !$0.isNumber })))
        }
    }

    @Suite("Conformance of the real board", .serialized)
    struct ConformanceTests {
        @Test("Behaves as the suite says", arguments: Behaviour.all)
        func behaviour(_ behaviour: Behaviour) async throws {
            let kernel = try Kernel()
            try await kernel.run(kernel.stubProfile(as: "STUB").profile) { loop, board in
                try await behaviour.run(on: KernelBench(kernel: kernel, loop: loop, board: board))
            }
        }
    }
}
