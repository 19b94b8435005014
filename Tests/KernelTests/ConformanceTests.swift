import Conformance
import DeviceRuntime
import Glibc
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

        let others = Protected<[RunningProcess]>([])

        var chipLabel: String { "pinctrl-bcm2711" }

        func pull(_ line: String, to level: Level) throws {
            try wire(line).pull(level == .high ? "pull-up" : "pull-down")
        }

        func pullWhileStanding(_ line: String, to levels: [Level]) throws {
            for level in levels {
                try pull(line, to: level)
                // Edges closer than a tick become one.
                usleep(3000)
            }
        }

        func holdByAnother(_ line: String) async throws -> String {
            // libgpiod 1's holds the line only when it is told to, 2's only knows how to.
            let script = """
                case $(gpioset --version) in
                *' v1.'*) exec gpioset --mode=signal gpiochip0 "$0=1" ;;
                *) exec gpioset --chip gpiochip0 "$0=1" ;;
                esac
                """
            let offset = String(line.drop { !$0.isNumber })
            let process = try RunningProcess(["/bin/sh", "-c", script, offset], environment: ["PATH=/usr/bin:/bin"])
            others.withLock { $0.append(process) }
            let end = loop.now + .seconds(30)
            while loop.now < end {
                let lines = try await board.gpioChips().first { $0.label == chipLabel }?.lines
                if lines?.first(where: { $0.headerName == line })?.holder != nil { return "gpioset" }
                try await loop.sleep(for: .milliseconds(10))
            }
            throw PeripheralError(.timedOut, "gpioset did not take \(line)")
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

        func signal(of channel: String) throws -> PWMSettings {
            let folder = "/sys/class/pwm/pwmchip0/pwm\(channel.dropFirst(3))"
            func nanoseconds(_ name: String) throws -> Duration {
                .nanoseconds(Int(try text("\(folder)/\(name)")) ?? -1)
            }
            return PWMSettings(
                period: try nanoseconds("period"), pulseWidth: try nanoseconds("duty_cycle"),
                polarity: try text("\(folder)/polarity") == "normal" ? .normal : .inversed,
                isEnabled: try text("\(folder)/enable") == "1")
        }

        func leave(_ signal: PWMSettings, on channel: String) throws {
            let chip = "/sys/class/pwm/pwmchip0"
            let folder = "\(chip)/pwm\(channel.dropFirst(3))"
            try write("\(channel.dropFirst(3))", to: "\(chip)/export")
            try write("\(Int(signal.period / .nanoseconds(1)))", to: "\(folder)/period")
            try write("\(Int(signal.pulseWidth / .nanoseconds(1)))", to: "\(folder)/duty_cycle")
            try write(signal.isEnabled ? "1" : "0", to: "\(folder)/enable")
        }

        /// The stub answers at 0x70 and keeps what it was told.
        func connectDisplay() async throws -> String {
            try await withDisplay { display in
                try await display.write([0x00] + [UInt8](repeating: 0xA5, count: 16))
                try await display.write([0x40, 0, 0, 0, 0, 0, 0])
            }
            return "STUB"
        }

        func displayMemory() async throws -> [UInt8] {
            // The board's own opening is the driver's.
            try await withDisplay { try await $0.writeRead([0x00], count: 16) }
        }

        func pressKey(_ key: Int) async throws {
            var words: [UInt8] = [0, 0, 0, 0, 0, 0]
            let (source, bit) = (key - 1).quotientAndRemainder(dividingBy: 13)
            words[2 * source + bit / 8] = 1 << UInt8(bit % 8)
            try await withDisplay { [words] in try await $0.write([0x40] + words) }
            try await loop.sleep(for: .milliseconds(200))
            try await withDisplay { try await $0.write([0x40, 0, 0, 0, 0, 0, 0]) }
        }

        private func withDisplay<Value>(_ body: (any I2CDevice) async throws -> Value) async throws -> Value {
            let profile = try kernel.stubProfile(as: "STUB").profile
            let address = try #require(I2CAddress(0x70))
            let display = try await LinuxBoard(profile, loop: loop)
                .makeI2CDevice(bus: "STUB", address: address, consumer: "bench")
            defer { display.close() }
            return try await body(display)
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
