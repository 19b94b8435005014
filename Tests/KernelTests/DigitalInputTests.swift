import CLinux
import Conformance
import DeviceKit
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    /// What only the real kernel shows; the rest is the conformance suite's.
    @Suite("Digital inputs on the kernel", .serialized)
    struct DigitalInputTests {
        private let kernel: Kernel

        init() throws { kernel = try Kernel() }

        @Test("This board's own profile is found")
        func detection() throws {
            #expect(try BoardProfile.named("auto") == .raspberryPi4)
        }

        @Test("The bias reaches the line", arguments: [(Bias.pullUp, Level.high), (.pullDown, .low)])
        func bias(bias: Bias, expected: Level) async throws {
            try kernel.header(17).pull(expected == .high ? "pull-down" : "pull-up")
            let level = try await kernel.run { _, board in
                let line = try await board.makeDigitalInput(
                    "GPIO17", DigitalInputConfiguration(bias: bias), consumer: "test")
                defer { line.close() }
                return try line.read()
            }
            #expect(level == expected)
        }

        @Test("Calls on a closed line from another thread say that it is closed, and closing there is harmless")
        func otherThread() async throws {
            let (closed, open) = try await kernel.run { loop, board in
                let closed = try await board.makeDigitalInput("GPIO17", .init(), consumer: "test")
                try closed.setEventHandler { _ in }
                closed.close()
                let open = try await board.makeDigitalInput("GPIO27", .init(), consumer: "test")
                try open.setEventHandler { _ in }
                let thread = try BlockingThread(named: "other", loop: loop)
                return try await thread.run {
                    open.close()
                    return (closed, open)
                }
            }
            // The loop is gone, and this is another thread again.
            for line in [closed, open] {
                line.close()
                for call in [{ _ = try line.read() }, { try line.setEventHandler { _ in } }] {
                    let error = await failure { try call() }
                    #expect(error?.code == .closed)
                }
            }
        }

        @Test("Without permission the error says which group gives it")
        func permission() async throws {
            let errors = try await kernel.run { _, board -> [PeripheralError?] in
                // The file system then takes this thread for another user's, without root's capabilities.
                setfsuid(65534)
                defer { setfsuid(0) }
                let opening = await failure {
                    _ = try await board.makeDigitalInput("GPIO17", .init(), consumer: "test")
                }
                let listing = await failure { _ = try await board.gpioChips() }
                return [opening, listing]
            }
            for error in errors {
                #expect(error?.code == .permissionDenied)
                #expect(error?.description.contains("group 'gpio'") == true)
            }
        }

        @Test("A line whose chip goes away tells that it failed, and every call says so from then on")
        func unplugging() async throws {
            let chip = try PluggedChip()
            defer { chip.remove() }
            let (failure, later) = try await kernel.run { loop, board -> (PeripheralError?, PeripheralError?) in
                let line = try await board.makeDigitalInput("plugged:1", .init(), consumer: "test")
                defer { line.close() }
                let recorder = LineRecorder()
                try line.setEventHandler { recorder.add($0) }
                try chip.unplug()
                try await recorder.wait(on: loop) { !$0.isEmpty }
                guard case .failure(let error) = recorder.events[0] else { return (nil, nil) }
                return (error, await Conformance.failure { _ = try line.read() })
            }
            #expect(failure?.code == .notFound)
            #expect(later?.code == .notFound)
        }

        @Test("Signals that interrupt every wait lose no edge")
        func interruptions() async throws {
            let wire = kernel.header(17)
            try wire.pull("pull-down")
            let recorder = LineRecorder()
            try await kernel.run { loop, board in
                // An interval timer whose handler does nothing, and which restarts no call.
                var action = sigaction()
                action.__sigaction_handler.sa_handler = { _ in }
                sigaction(SIGALRM, &action, nil)
                let interval = timeval(tv_sec: 0, tv_usec: 2000)
                var timer = itimerval(it_interval: interval, it_value: interval)
                setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
                defer {
                    timer = itimerval()
                    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
                }
                let line = try await board.makeDigitalInput("GPIO17", .init(), consumer: "test")
                defer { line.close() }
                try line.setEventHandler { recorder.add($0) }
                for number in 0..<100 {
                    try wire.pull(number.isMultiple(of: 2) ? "pull-up" : "pull-down")
                    try await recorder.first(number + 1, on: loop)
                }
            }
            #expect(recorder.events.count == 100)
        }
    }

    /// A chip of the simulator that can go away: the board's own stays.
    private struct PluggedChip {
        private let folder = "/sys/kernel/config/gpio-sim/plugged"

        init() throws {
            // Mounted already if another test was here.
            mount("none", "/sys/kernel/config", "configfs", 0, nil)
            for path in [folder, "\(folder)/bank"] { try systemCall("mkdir \(path)") { mkdir(path, 0o755) } }
            try write("4", to: "\(folder)/bank/num_lines")
            try write("plugged", to: "\(folder)/bank/label")
            try write("1", to: "\(folder)/live")
        }

        func unplug() throws { try write("0", to: "\(folder)/live") }

        func remove() {
            try? unplug()
            rmdir("\(folder)/bank")
            rmdir(folder)
        }
    }
}
