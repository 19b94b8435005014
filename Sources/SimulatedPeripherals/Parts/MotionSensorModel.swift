public import DeviceRuntime
public import Peripherals

/// An HC-SR501 passive infrared sensor on a line: active high, blind for a while after its output fell, and during the
/// first minute after power-on with up to three false triggers (the module's data sheet).
public final class MotionSensorModel: Sendable {
    public enum Jumper: Sendable, Hashable {
        /// H: the output stays high as long as somebody moves, and falls `hold` later.
        case retriggering
        /// L: the output falls `hold` after it rose, whatever happens.
        case single
    }

    public struct Timing: Sendable, Hashable {
        /// How long the output stays high (its potentiometer: 3 s to 300 s).
        public var hold: Duration = .seconds(5)
        /// How long it sees nothing after the output fell.
        public var blind: Duration = .milliseconds(2500)
        /// From power-on: when the model is made, and when it was unplugged.
        public var warmUp: Duration = .seconds(60)

        public init() {}
    }

    private struct State {
        var motionUntil: Duration = .zero
        var blindUntil: Duration = .zero
        /// What the sensor makes of what it sees.
        var isHigh = false
        var fall: ScheduledTimer?
        /// While it is broken, its output has nothing to do with what it sees.
        var isBroken = false
        var generator: SeededGenerator
    }

    private let line: SimulatedLine
    private let loop: EventLoop
    private let jumper: Jumper
    private let activeLevel: Level
    private let timing: Timing
    private let state: Protected<State>

    public init(
        on line: SimulatedLine, loop: EventLoop, jumper: Jumper = .retriggering, activeLevel: Level = .high,
        timing: Timing = Timing(), generator: SeededGenerator
    ) {
        self.line = line
        self.loop = loop
        self.jumper = jumper
        self.activeLevel = activeLevel
        self.timing = timing
        state = Protected(State(generator: generator))
        show()
        powerOn()
    }

    /// It has its power (again): until it is warm it triggers by itself.
    public func powerOn() {
        let parts = state.withLock { state in
            (0..<Int.random(in: 0...3, using: &state.generator)).map { _ in
                Double.random(in: 0.02..<0.85, using: &state.generator)
            }
        }
        for part in parts { loop.schedule(after: timing.warmUp * part) { [weak self] in self?.move(for: .zero) } }
    }

    /// Whether somebody moves in front of it.
    public var isMoving: Bool { state.withLock { loop.now < $0.motionUntil } }

    /// Whether its output says so.
    public var isActive: Bool { line.level == activeLevel }

    /// Somebody moves in front of the sensor for that long.
    public func move(for duration: Duration) {
        let now = loop.now
        state.withLock { $0.motionUntil = max($0.motionUntil, now + duration) }
        look()
    }

    /// Its output stays high for that long, whatever it sees.
    public func stick(for duration: Duration) {
        breakDown(for: duration) { [line, activeLevel] in line.drive(activeLevel) }
    }

    /// Its wire is loose for that long: the output changes every so often.
    public func chatter(for duration: Duration, every interval: Duration = .milliseconds(100)) {
        let end = loop.now + duration
        breakDown(for: duration) { [weak self] in self?.flip(every: interval, until: end) }
    }

    private func flip(every interval: Duration, until end: Duration) {
        guard interval > .zero, loop.now < end else { return }
        line.drive(line.level.inverted)
        loop.schedule(after: interval) { [weak self] in self?.flip(every: interval, until: end) }
    }

    private func breakDown(for duration: Duration, _ body: () -> Void) {
        state.withLock { $0.isBroken = true }
        body()
        loop.schedule(after: duration) { [weak self] in
            self?.state.withLock { $0.isBroken = false }
            self?.show()
        }
    }

    /// Sees whether somebody moves, unless it is blind.
    private func look() {
        let now = loop.now
        let fall = state.withLock { state -> Duration? in
            guard now >= state.blindUntil else { return nil }
            if state.isHigh {
                // With a single trigger the end is set already.
                guard jumper == .retriggering else { return nil }
            }
            state.isHigh = true
            return jumper == .retriggering ? state.motionUntil + timing.hold : now + timing.hold
        }
        guard let fall else { return }
        show()
        let timer = loop.schedule(at: fall) { [weak self] in self?.fall() }
        state.withLock { state in
            state.fall?.cancel()
            state.fall = timer
        }
    }

    private func fall() {
        let end = loop.now + timing.blind
        state.withLock { state in
            state.isHigh = false
            state.blindUntil = end
        }
        show()
        // Motion that goes on is seen when the blind time is over.
        loop.schedule(at: end) { [weak self] in
            if let self, isMoving { look() }
        }
    }

    private func show() {
        let (isHigh, isBroken) = state.withLock { ($0.isHigh, $0.isBroken) }
        if !isBroken { line.drive(isHigh ? activeLevel : activeLevel.inverted) }
    }
}
