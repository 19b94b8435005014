import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("The simulated push button")
struct PushButtonModelTests {
    /// The times of the line's changes in milliseconds, and its level at the end.
    private static func changes(
        seed: UInt64, bounce: PushButtonModel.Bounce = .average,
        _ body: @escaping @Sendable (PushButtonModel) -> Void
    ) async throws -> (times: [Double], level: Level) {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop, seed: seed)
            let line = try board.line("GPIO5")
            line.pull(.high)
            let times = Protected<[Double]>([])
            line.watch { _ in times.withLock { $0.append(loop.now / .milliseconds(1)) } }
            let button = PushButtonModel(on: line, loop: loop, bounce: bounce, generator: board.makeGenerator())
            body(button)
            try await loop.sleep(for: .seconds(5))
            return (times.withLock { $0 }, line.level)
        }
    }

    @Test("Bounces at both ends for 6 ms at most, and a quarter of that on average")
    func bounce() async throws {
        var lengths: [Double] = []
        var counts: Set<Int> = []
        for seed in 0..<500 as Range<UInt64> {
            let (times, level) = try await Self.changes(seed: seed) { $0.press(for: .milliseconds(100)) }
            #expect(level == .high)
            let ends = [times.filter { $0 < 100 }, times.filter { $0 >= 100 }]
            #expect(ends[0].first == 0 && ends[1].first == 100)
            for end in ends {
                #expect(end.count.isMultiple(of: 2) == false)
                counts.insert(end.count)
                // Those without a bounce have no length.
                if end.count > 1 { lengths.append((end.last ?? 0) - (end.first ?? 0)) }
            }
        }
        #expect(counts == [1, 3, 5, 7])
        #expect((lengths.max() ?? 0) < 6)
        #expect((4...6).contains(lengths.max() ?? 0))
        // The last of a few bounces comes a little before the end of the chatter.
        #expect((0.8...1.5).contains(lengths.reduce(0, +) / Double(lengths.count)))
    }

    @Test("A press that is shorter than its chatter ends released", arguments: 0..<200)
    func short(seed: UInt64) async throws {
        let level = try await Self.changes(seed: seed, bounce: .worn) { $0.press(for: .milliseconds(2)) }.level
        #expect(level == .high)
    }

    @Test("Presses in a row have their pauses; a button that is held stays down; a spike is one pulse")
    func gestures() async throws {
        let row = try await Self.changes(seed: 1, bounce: .none) {
            $0.press(for: .milliseconds(100), times: 3, pause: .milliseconds(50))
        }
        #expect(row.times == [0, 100, 150, 250, 300, 400])
        let held = try await Self.changes(seed: 1, bounce: .none) { $0.set(true) }
        #expect(held.times == [0])
        #expect(held.level == .low)
        let spike = try await Self.changes(seed: 1) { $0.spike(for: .milliseconds(2)) }
        #expect(spike.times == [0, 2])
        let heldSpike = try await Self.changes(seed: 1, bounce: .none) { button in
            button.set(true)
            button.spike(for: .milliseconds(2))
        }
        #expect(heldSpike.times == [0])
    }

    @Test("The same seed bounces the same")
    func determinism() async throws {
        var runs: [[Double]] = []
        for seed in [3, 3, 4] as [UInt64] {
            runs.append(try await Self.changes(seed: seed, bounce: .worn) { $0.press(for: .seconds(1)) }.times)
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }
}
