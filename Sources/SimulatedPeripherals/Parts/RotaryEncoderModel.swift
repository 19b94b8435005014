public import DeviceRuntime
public import Peripherals

/// A rotary encoder between two lines and ground or supply, with contacts that bounce. Open, a contact leaves its line
/// to its pull resistor. It begins at a detent, both contacts open.
public final class RotaryEncoderModel: Sendable {
    private let lines: (a: SimulatedLine, b: SimulatedLine)
    private let loop: EventLoop
    private let closedLevel: Level
    private let changesPerStep: Int
    private let generator: Protected<SeededGenerator>
    /// How many changes clockwise it has turned.
    private let place = Protected(0)

    /// `changesPerStep` is how many changes lie between two detents.
    public init(
        a: SimulatedLine, b: SimulatedLine, loop: EventLoop, closedLevel: Level = .low, changesPerStep: Int = 4,
        generator: SeededGenerator
    ) {
        lines = (a, b)
        self.loop = loop
        self.closedLevel = closedLevel
        self.changesPerStep = changesPerStep
        self.generator = Protected(generator)
    }

    /// Somebody turns it by so many steps, clockwise or, with a negative number, the other way. Each contact chatters
    /// up to three times to and fro when it changes, for less than half of the time until the other one does.
    public func turn(by steps: Int, over duration: Duration) {
        let count = abs(steps) * changesPerStep
        guard count > 0 else { return }
        let pause = duration / count
        let start = loop.now
        for number in 0..<count { change(at: start + pause * number, forwards: steps > 0, chatter: pause / 2) }
    }

    private func change(at time: Duration, forwards: Bool, chatter: Duration) {
        let (before, after) = place.withLock { place in
            defer { place += forwards ? 1 : -1 }
            return (place, place + (forwards ? 1 : -1))
        }
        // Around: A closes, B closes, A opens, B opens.
        let isA = (forwards ? before : after) & 1 == 0
        let line = isA ? lines.a : lines.b
        func isClosed(at place: Int) -> Bool { isA ? [1, 2].contains(place & 3) : [2, 3].contains(place & 3) }
        let (old, new) = (level(isClosed: isClosed(at: before)), level(isClosed: isClosed(at: after)))
        let times = generator.withLock { generator in
            (0..<2 * Int.random(in: 0...3, using: &generator)).map { _ in
                chatter * Double.random(in: 0.01...1, using: &generator)
            }.sorted()
        }
        loop.schedule(at: time) { line.drive(new) }
        for (index, offset) in times.enumerated() {
            loop.schedule(at: time + offset) { line.drive(index.isMultiple(of: 2) ? old : new) }
        }
    }

    private func level(isClosed: Bool) -> Level? { isClosed ? closedLevel : nil }
}
