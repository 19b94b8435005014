import DeviceKit
import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    /// Long against what a busy machine adds to a pulse.
    private static let debounce = Duration.milliseconds(200)

    static let debouncing = [
        line("A level counts when it was stable for the debounce, and edges alternate") { bench in
            let (input, recorder) = try await bench.recordedInput("GPIO12", .init(debounce: debounce))
            #expect(input.debouncer != .none)
            try bench.pullWhileStanding("GPIO12", to: [.high, .low, .high, .low, .high])
            let stable = bench.loop.now
            let rising = try await recorder.first(1, on: bench.loop)[0]
            #expect(rising.edge == .rising)
            // The kernel's own debounce counts in ticks.
            #expect(rising.timestamp >= stable + debounce - .milliseconds(10))
            try bench.pullWhileStanding("GPIO12", to: [.low, .high])
            try await bench.loop.sleep(for: debounce * 2)
            try bench.pull("GPIO12", to: .low)
            try await recorder.first(2, on: bench.loop)
            #expect(recorder.events.map(\.edge?.edge) == [.rising, .falling])
            input.close()
        },
        line("Reading a debounced line gives the level that counts, with a handler or without one") { bench in
            try bench.pull("GPIO12", to: .low)
            let input = try await bench.board.makeDigitalInput("GPIO12", .init(debounce: debounce), consumer: "test")
            try bench.pullWhileStanding("GPIO12", to: [.high])
            #expect(try input.read() == .low)
            try await bench.loop.sleep(for: debounce * 2)
            #expect(try input.read() == .high)
            input.close()
        },
        line("A debounce that is out of range is refused, and leaves the line free") { bench in
            for wrong in [Duration.nanoseconds(-1), .seconds(4295), .seconds(1e12)] {
                let error = await failure {
                    _ = try await bench.board.makeDigitalInput("GPIO12", .init(debounce: wrong), consumer: "test")
                }
                #expect(error?.code == .invalidArgument)
            }
            let shortest = try await bench.board.makeDigitalInput(
                "GPIO12", .init(debounce: .nanoseconds(1)), consumer: "test")
            #expect(shortest.debouncer != .none)
            shortest.close()
        },
    ]

    static let losses = [
        line("A program that stands still is told that it lost edges, and ends with the right level") { bench in
            // One that evens out and one that does not.
            for changes in [40, 41] {
                let (input, recorder) = try await bench.recordedInput("GPIO12")
                try bench.pullWhileStanding("GPIO12", to: (0..<changes).map { $0.isMultiple(of: 2) ? .high : .low })
                try await recorder.wait(on: bench.loop) { events in
                    events.contains { event in
                        guard case .loss = event else { return false }
                        return true
                    } && events.count >= 17
                }
                try await bench.settle()
                #expect(recorder.edges.count == 16)
                #expect(recorder.losses.count == 1)
                // Where edges have numbers, a full queue keeps the newest, and the lost ones are counted.
                let isNumbered = recorder.edges.allSatisfy { $0.sequenceNumber != nil }
                #expect(recorder.losses.first?.count == (isNumbered ? UInt64(changes - 16) : nil))
                let told = recorder.events.compactMap(\.edge?.edge)
                #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
                #expect(try input.read() == told.last?.level)
                // And no harm is left.
                try bench.pull("GPIO12", to: changes == 40 ? .high : .low)
                try await recorder.first(17, on: bench.loop)
                #expect(recorder.losses.count == 1)
                input.close()
            }
        }
    ]
}
