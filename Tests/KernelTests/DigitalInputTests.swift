import Conformance
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("Digital inputs on the kernel", .serialized)
    struct DigitalInputTests {
        private let kernel: Kernel
        private let wire: Kernel.Wire

        init() throws {
            kernel = try Kernel()
            wire = kernel.header(17)
            try wire.pull("pull-down")
        }

        /// Lets edges queue up, so that the handler is called for several in a row.
        private func pullWhileTheLoopStands(_ directions: [String]) throws {
            for direction in directions {
                try wire.pull(direction)
                usleep(3000)
            }
        }

        @Test("This board's own profile is found")
        func detection() throws {
            #expect(try BoardProfile.named("auto") == .raspberryPi4)
        }

        @Test("Every edge arrives, in order, with the kernel's time of it")
        func edges() async throws {
            let (events, start, end) = try await kernel.run { [wire] loop, board in
                let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                defer { line.close() }
                let recorder = LineRecorder()
                try line.setEventHandler { recorder.add($0) }
                let start = loop.now
                for number in 0..<200 {
                    try wire.pull(number.isMultiple(of: 2) ? "pull-up" : "pull-down")
                    // One at a time: the simulator raises interrupts on the timer's tick, and merges two in one.
                    _ = try await recorder.first(number + 1, on: loop)
                }
                return (recorder.edges, start, loop.now)
            }
            #expect(events.map(\.edge) == (0..<200).map { $0.isMultiple(of: 2) ? .rising : .falling })
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
            #expect(events.allSatisfy { (start...end).contains($0.timestamp) })
            // libgpiod 1.6 has no numbers; 2.x has every one.
            let numbers = events.compactMap(\.sequenceNumber)
            #expect(numbers.isEmpty || numbers == Array(1...200))
        }

        @Test("Edges from before a handler was set are not delivered, however many")
        func oldEdges() async throws {
            let (event, start) = try await kernel.run { [wire] loop, board in
                let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                defer { line.close() }
                // More than the kernel keeps, a tick or more apart: a full queue must not keep the new ones out.
                for number in 0..<40 {
                    try wire.pull(number.isMultiple(of: 2) ? "pull-up" : "pull-down")
                    try await loop.sleep(for: .milliseconds(3))
                }
                let recorder = LineRecorder()
                let start = loop.now
                try line.setEventHandler { recorder.add($0) }
                try wire.pull("pull-up")
                return (try await recorder.first(1, on: loop)[0], start)
            }
            #expect(event.edge == .rising)
            #expect(event.timestamp >= start)
        }

        @Test("A handler may close the line, and is then left alone")
        func closingInside() async throws {
            let (first, second) = try await kernel.run { loop, board in
                let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                let other = try await board.makeDigitalInput("GPIO27", DigitalInputConfiguration(), consumer: "test")
                defer { other.close() }
                let (first, second) = (LineRecorder(), LineRecorder())
                try line.setEventHandler {
                    first.add($0)
                    line.close()
                    line.close()
                }
                try pullWhileTheLoopStands(["pull-up", "pull-down", "pull-up"])
                _ = try await first.first(1, on: loop)
                // An edge of another line shows that the loop went on.
                try kernel.header(27).pull("pull-down")
                try other.setEventHandler { second.add($0) }
                try kernel.header(27).pull("pull-up")
                _ = try await second.first(1, on: loop)
                #expect(throws: PeripheralError.self) { try line.read() }
                #expect(throws: PeripheralError.self) { try line.setEventHandler { _ in } }
                return (first.edges, second.edges)
            }
            #expect(first.map(\.edge) == [.rising])
            #expect(second.map(\.edge) == [.rising])
        }

        @Test("A handler may set another one, which gets what comes next")
        func replacingInside() async throws {
            let (first, second) = try await kernel.run { [wire] loop, board in
                let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                defer { line.close() }
                let (first, second) = (LineRecorder(), LineRecorder())
                try line.setEventHandler { event in
                    first.add(event)
                    do { try line.setEventHandler { second.add($0) } } catch { Issue.record(error) }
                }
                try pullWhileTheLoopStands(["pull-up", "pull-down", "pull-up"])
                _ = try await first.first(1, on: loop)
                try wire.pull("pull-down")
                return (first.edges, try await second.first(1, on: loop))
            }
            #expect(first.map(\.edge) == [.rising])
            #expect(second.map(\.edge) == [.falling])
        }

        @Test("The bias reaches the line", arguments: [(Bias.pullUp, Level.high), (.pullDown, .low)])
        func bias(bias: Bias, expected: Level) async throws {
            try wire.pull(expected == .high ? "pull-down" : "pull-up")
            let level = try await kernel.run { _, board in
                let line = try await board.makeDigitalInput(
                    "GPIO17", DigitalInputConfiguration(bias: bias), consumer: "test")
                defer { line.close() }
                return try line.read()
            }
            #expect(level == expected)
        }
    }
}
