public import DeviceRuntime
import Peripherals

/// An HC-SR501 passive infrared sensor on a line: active high, and during the first minute after power-on up to
/// three false triggers (the module's data sheet; jumper at H, retriggerable).
public final class MotionSensorModel: Sendable {
    public struct Timing: Sendable {
        /// How long the output stays high after the last motion (its potentiometer: 3 s to 300 s).
        public var hold: Duration = .seconds(5)
        /// How long it sees nothing after the output fell.
        public var blind: Duration = .milliseconds(2500)
        public var warmUp: Duration = .seconds(60)

        public init() {}
    }

    private struct State {
        var motionUntil: Duration = .zero
        var blindUntil: Duration = .zero
        var release: ScheduledTimer?
    }

    private let line: SimulatedLine
    private let loop: EventLoop
    private let timing: Timing
    private let state = Protected(State())

    public init(on line: SimulatedLine, loop: EventLoop, timing: Timing = Timing(), generator: SeededGenerator) {
        self.line = line
        self.loop = loop
        self.timing = timing
        line.drive(.low)
        var generator = generator
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let second = Double.random(in: 1..<50, using: &generator)
            loop.schedule(at: .seconds(second)) { [weak self] in self?.move(for: .zero) }
        }
    }

    /// Somebody moves in front of the sensor for that long.
    public func move(for duration: Duration) {
        let now = loop.now
        let (isSeen, end) = state.withLock { state -> (Bool, Duration) in
            state.motionUntil = max(state.motionUntil, now + duration)
            // Blind: motion that goes on is seen when the blind time is over.
            if now < state.blindUntil { return (false, state.blindUntil) }
            return (true, state.motionUntil + timing.hold)
        }
        if !isSeen {
            loop.schedule(at: end) { [weak self] in self?.lookAgain() }
            return
        }
        line.drive(.high)
        let timer = loop.schedule(at: end) { [weak self] in self?.fall() }
        state.withLock { state in
            state.release?.cancel()
            state.release = timer
        }
    }

    private func lookAgain() {
        let now = loop.now
        let rest = state.withLock { $0.motionUntil - now }
        if rest > .zero { move(for: rest) }
    }

    private func fall() {
        line.drive(.low)
        let now = loop.now
        state.withLock { $0.blindUntil = now + timing.blind }
    }
}
