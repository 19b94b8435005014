import Conformance
import DeviceKit
import DeviceRuntime
import LineMonitoring
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Simulated lines")
struct LineTests {
    @Test("A stalled reader loses the newest of 17 edges with libgpiod 1.6, and the oldest with 2")
    func policies() async throws {
        for interface in LineInterface.allCases {
            try await EventLoop.run(time: .virtual) { loop in
                let board = SimulatedBoard(loop: loop, lineInterface: interface)
                let line = try board.line("GPIO5")
                let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
                let recorder = LineRecorder()
                try input.setEventHandler { recorder.add($0) }
                line.setStalled(true)
                for number in 1...17 {
                    try await loop.sleep(until: .milliseconds(number))
                    line.drive(number.isMultiple(of: 2) ? .low : .high)
                }
                #expect(recorder.events.isEmpty)
                line.setStalled(false)
                try await loop.sleep(for: .milliseconds(1))
                let times = recorder.edges.map(\.timestamp)
                let isFirst = interface == .libgpiod1
                #expect(times == (isFirst ? 1...16 : 2...17).map { .milliseconds($0) })
                #expect(recorder.losses.map(\.count) == [isFirst ? nil : 1])
                #expect(recorder.losses.map(\.missingEdge?.edge) == [.rising])
                #expect(recorder.events.compactMap(\.edge?.edge).last == .rising)
            }
        }
    }

    @Test("A line that is unplugged tells that it failed, says so at every call, and works again when it is back")
    func unplugging() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
            let recorder = LineRecorder()
            try input.setEventHandler { recorder.add($0) }
            try board.line("GPIO5").setUnplugged(true)
            try await recorder.wait(on: loop) { !$0.isEmpty }
            guard case .failure(let error) = recorder.events[0] else {
                Issue.record("no failure")
                return
            }
            #expect(error.code == .notFound)
            let later = await failure { _ = try input.read() }
            #expect(later?.code == .notFound)
            input.close()
            let opening = await failure { _ = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test") }
            #expect(opening?.code == .notFound)
            try board.line("GPIO5").setUnplugged(false)
            try await board.makeDigitalInput("GPIO5", .init(), consumer: "test").close()
            #expect(recorder.events.count == 1)
        }
    }

    @Test("The sequence of a line that fails throws the line's error, also when nobody waited")
    func failingSequence() async throws {
        for waits in [true, false] {
            try await EventLoop.run(time: .virtual) { loop in
                let board = SimulatedBoard(loop: loop)
                let line = try board.line("GPIO5")
                let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
                let events = try input.events()
                if waits { loop.schedule(after: .seconds(1)) { line.setUnplugged(true) } }
                if !waits {
                    line.setUnplugged(true)
                    try await loop.sleep(for: .seconds(1))
                }
                let error = await failure { for try await _ in events {} }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("A consumer of the sequence that falls behind is told how many it lost, and the level that came of it")
    func slowConsumer() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let line = try board.line("GPIO5")
            let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
            var events = try input.events().makeAsyncIterator()
            for number in 1...(LineEvents.capacity + 11) {
                line.drive(number.isMultiple(of: 2) ? .low : .high)
                try await loop.sleep(for: .milliseconds(1))
            }
            for _ in 0..<LineEvents.capacity {
                guard case .edge = try await events.next() else {
                    Issue.record("not an edge")
                    return
                }
            }
            guard case .loss(let loss) = try await events.next() else {
                Issue.record("no loss")
                return
            }
            #expect(loss.count == 11 && loss.level == .high && loss.missingEdge?.edge == .rising)
            line.drive(.low)
            let next = try await events.next()
            #expect(next?.edge?.edge == .falling)
        }
    }

    @Test("Who lets go of the sequence stops watching, and another handler in its place stays")
    func lettingGo() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let line = try board.line("GPIO5")
            let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
            let recorder = LineRecorder()
            do {
                let events = try input.events()
                try input.setEventHandler { recorder.add($0) }
                var iterator = events.makeAsyncIterator()
                let end = try await iterator.next()
                #expect(end == nil)
            }
            line.drive(.high)
            try await recorder.first(1, on: loop)
        }
    }

    @Test("A line is not called quiet while edges wait to be read")
    func quietAfterStall() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let line = try board.line("GPIO5")
            let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
            let recorder = LineRecorder()
            try input.setEventHandler(quietAfter: .seconds(10)) { recorder.add($0) }
            line.setStalled(true)
            try await loop.sleep(until: .seconds(9))
            line.drive(.high)
            try await loop.sleep(until: .seconds(15))
            #expect(recorder.events.map(\.edge?.edge) == [.rising])
            try await loop.sleep(until: .seconds(100))
            #expect(recorder.events.dropFirst() == [.quiet(since: .seconds(9))])
        }
    }

    @Test(
        "A debounce is whole microseconds, rounded up",
        arguments: [(1, 1), (1000, 1), (1001, 2), (500_000, 500), (4_294_000_000_000, 4_294_000_000)])
    func microseconds(nanoseconds: Int64, microseconds: UInt32) throws {
        let configuration = DigitalInputConfiguration(debounce: .nanoseconds(nanoseconds))
        #expect(try configuration.debounceMicroseconds() == microseconds)
    }

    @Test("With libgpiod 1.6 the program debounces, with 2 the kernel, and by the same rules to the nanosecond")
    func sameDebounce() async throws {
        var told: [[EdgeEvent]] = []
        for interface in LineInterface.allCases {
            let edges = try await EventLoop.run(time: .virtual) { loop in
                let board = SimulatedBoard(loop: loop, lineInterface: interface)
                let line = try board.line("GPIO5")
                let input = try await board.makeDigitalInput(
                    "GPIO5", .init(debounce: .milliseconds(5)), consumer: "test")
                #expect(input.debouncer == (interface == .libgpiod1 ? .program : .kernel))
                let recorder = LineRecorder()
                try input.setEventHandler { recorder.add($0) }
                var generator = SeededGenerator(seed: 7)
                for number in 0..<2000 {
                    line.drive(number.isMultiple(of: 2) ? .high : .low)
                    try await loop.sleep(for: .microseconds(Int.random(in: 100...9000, using: &generator)))
                }
                try await loop.sleep(for: .seconds(1))
                #expect(recorder.losses.isEmpty)
                return recorder.edges
            }
            told.append(edges.map { EdgeEvent(edge: $0.edge, timestamp: $0.timestamp) })
        }
        #expect(told[0].count > 100 && told[0] == told[1])
    }
}
