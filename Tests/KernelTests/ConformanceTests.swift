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
