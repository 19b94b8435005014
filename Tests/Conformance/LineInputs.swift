import DeviceKit
import DeviceRuntime
import Peripherals
import Testing

extension TestBench {
    /// An input on a line that is low, and what it tells.
    func recordedInput(
        _ name: String, _ configuration: DigitalInputConfiguration = .init(), quietAfter quiet: Duration? = nil
    ) async throws -> (input: any DigitalInput, recorder: LineRecorder) {
        try pull(name, to: .low)
        let input = try await board.makeDigitalInput(name, configuration, consumer: "test")
        let recorder = LineRecorder()
        try input.setEventHandler(quietAfter: quiet) { recorder.add($0) }
        return (input, recorder)
    }
}

extension Behaviour {
    static let inputs = [
        line("Every edge is told, in order, with its time and, where there are numbers, its number") { bench in
            let (input, recorder) = try await bench.recordedInput("GPIO12")
            let start = bench.loop.now
            for number in 0..<20 {
                try bench.pull("GPIO12", to: number.isMultiple(of: 2) ? .high : .low)
                try await recorder.first(number + 1, on: bench.loop)
            }
            let end = bench.loop.now
            let edges = recorder.edges
            #expect(edges.map(\.edge) == (0..<20).map { $0.isMultiple(of: 2) ? .rising : .falling })
            #expect(edges.allSatisfy { (start...end).contains($0.timestamp) })
            let numbers = edges.compactMap(\.sequenceNumber)
            #expect(numbers.isEmpty || numbers == Array(1...20))
            #expect(recorder.losses.isEmpty)
            input.close()
        },
        line("Only the edges that were asked for are told, and the level is read at any time") { bench in
            for edge in Edge.allCases {
                let (input, recorder) = try await bench.recordedInput("GPIO12", .init(edges: [edge]))
                for _ in 0..<3 {
                    for level in [Level.high, .low] {
                        try bench.pull("GPIO12", to: level)
                        try await bench.settle()
                        #expect(try input.read() == level)
                    }
                }
                try await recorder.first(3, on: bench.loop)
                #expect(recorder.events.map(\.edge?.edge) == [edge, edge, edge])
                input.close()
            }
        },
        line("A line that was opened for no edges is read, and refuses a handler") { bench in
            try bench.pull("GPIO12", to: .high)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(edges: []), consumer: "test")
            #expect(try input.read() == .high)
            let error = await failure { try input.setEventHandler { _ in } }
            #expect(error?.code == .invalidArgument)
            input.close()
        },
        line("A pull resistor decides the level of a line that nobody drives") { bench in
            for (bias, level) in [(Bias.pullUp, Level.high), (.pullDown, .low)] {
                let input = try await bench.board.makeDigitalInput("GPIO13", .init(bias: bias), consumer: "test")
                #expect(try input.read() == level)
                input.close()
            }
        },
        line("The active level changes what counts as active, not what is high") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(activeLevel: .low), consumer: "test")
            #expect(try input.read() == .low)
            #expect(try input.isActive())
            input.close()
        },
        line("Edges from before a handler was set are not told, however many") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(), consumer: "test")
            try bench.pullWhileStanding("GPIO12", to: (0..<40).map { $0.isMultiple(of: 2) ? .high : .low })
            let recorder = LineRecorder()
            try input.setEventHandler { recorder.add($0) }
            try bench.pull("GPIO12", to: .high)
            try await recorder.first(1, on: bench.loop)
            #expect(recorder.events.map(\.edge?.edge) == [.rising])
            input.close()
        },
        line("A handler may close its line, and hears nothing more") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(), consumer: "test")
            let recorder = LineRecorder()
            try input.setEventHandler { event in
                input.close()
                recorder.add(event)
            }
            try bench.pullWhileStanding("GPIO12", to: [.high, .low, .high])
            try await recorder.first(1, on: bench.loop)
            try await bench.settle()
            #expect(recorder.events.count == 1)
            let error = await failure { _ = try input.read() }
            #expect(error?.code == .closed)
            try await bench.board.makeDigitalInput("GPIO12", .init(), consumer: "another").close()
        },
        line("A handler may set another one, which hears what comes next") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(), consumer: "test")
            let (first, second) = (LineRecorder(), LineRecorder())
            try input.setEventHandler { event in
                first.add(event)
                do { try input.setEventHandler { second.add($0) } } catch { Issue.record(error) }
            }
            try bench.pullWhileStanding("GPIO12", to: [.high, .low, .high])
            try await first.first(1, on: bench.loop)
            try bench.pull("GPIO12", to: .low)
            try await second.first(1, on: bench.loop)
            #expect(first.events.map(\.edge?.edge) == [.rising])
            #expect(second.events.map(\.edge?.edge) == [.falling])
            input.close()
        },
        line("A line that is quiet for a given time says so once, and anew after the next edge") { bench in
            let quiet = Duration.milliseconds(100)
            let start = bench.loop.now
            let (input, recorder) = try await bench.recordedInput("GPIO12", quietAfter: quiet)
            try await recorder.wait(on: bench.loop) { $0.count == 1 }
            #expect(bench.loop.now >= start + quiet)
            try await bench.loop.sleep(for: quiet * 3)
            #expect(recorder.events.count == 1)
            try bench.pull("GPIO12", to: .high)
            try await recorder.wait(on: bench.loop) { $0.count == 3 }
            guard case .quiet = recorder.events[0], case .edge(let edge) = recorder.events[1],
                case .quiet(let since) = recorder.events[2]
            else {
                Issue.record("not quiet, edge, quiet")
                return
            }
            #expect(since == edge.timestamp)
            #expect(bench.loop.now >= since + quiet)
            input.close()
        },
        line("The events of a line are a sequence, which ends when the line is closed") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(), consumer: "test")
            let events = try input.events()
            try bench.pullWhileStanding("GPIO12", to: [.high, .low])
            var edges: [Edge] = []
            for try await event in events {
                if let edge = event.edge { edges.append(edge.edge) }
                if edges.count == 2 { try bench.pull("GPIO12", to: .high) }
                if edges.count == 3 { input.close() }
            }
            #expect(edges == [.rising, .falling, .rising])
        },
        line("A wait for an edge returns at once when its task is cancelled, and when the line is closed") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(), consumer: "test")
            for isClosing in [false, true] {
                let events = try input.events()
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        var iterator = events.makeAsyncIterator()
                        do { return try await iterator.next() == nil } catch is CancellationError { return false }
                    }
                    try await bench.settle()
                    if isClosing { input.close() } else { group.cancelAll() }
                    let hasEnded = try await group.next()
                    #expect(hasEnded == isClosing)
                }
            }
        },
    ]
}
