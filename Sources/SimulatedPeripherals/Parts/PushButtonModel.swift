public import DeviceRuntime
public import Peripherals

/// A push button between a line and ground or supply, with contacts that bounce. Open, it leaves the line to its
/// pull resistor.
public final class PushButtonModel: Sendable {
    private let line: SimulatedLine
    private let loop: EventLoop
    private let pressedLevel: Level
    private let generator: Protected<SeededGenerator>

    /// `pressedLevel` is what the contact connects to: low for a button to ground.
    public init(on line: SimulatedLine, loop: EventLoop, pressedLevel: Level = .low, generator: SeededGenerator) {
        self.line = line
        self.loop = loop
        self.pressedLevel = pressedLevel
        self.generator = Protected(generator)
    }

    /// Somebody presses the button for that long. The contact chatters up to seven times within 6 ms at each
    /// end, as an average switch does.
    public func press(for duration: Duration) {
        let start = loop.now
        bounce(from: start, to: pressedLevel)
        bounce(from: start + duration, to: nil)
    }

    private func bounce(from start: Duration, to level: Level?) {
        let times = generator.withLock { generator in
            let count = Int.random(in: 0...3, using: &generator)
            return (0..<2 * count).map { _ in Duration.microseconds(Int.random(in: 50...6000, using: &generator)) }
                .sorted()
        }
        let line = line
        let open: Level? = nil
        let pressed = pressedLevel
        let other = level == nil ? pressed : open
        for (index, time) in ([.zero] + times).enumerated() {
            let contact = index.isMultiple(of: 2) ? level : other
            loop.schedule(at: start + time) { line.drive(contact) }
        }
    }
}
