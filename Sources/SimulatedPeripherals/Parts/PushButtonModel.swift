public import DeviceRuntime
public import Peripherals

/// A push button between a line and ground or supply, with contacts that bounce. Open, it leaves the line to its
/// pull resistor.
public final class PushButtonModel: Sendable {
    /// How contacts bounce. How long is drawn for each change: mostly short, at times as long as it gets.
    public struct Bounce: Sendable, Hashable {
        /// How long the chatter takes at most; a quarter of it on average.
        public var longest: Duration
        /// How often the contact opens and closes again at most.
        public var most: Int

        public init(longest: Duration, most: Int) {
            self.longest = longest
            self.most = most
        }

        /// An average switch: 1.5 ms, and 6 ms at most (J. Ganssle, "A Guide to Debouncing": 18 switches measured).
        public static let average = Bounce(longest: .milliseconds(6), most: 3)
        /// A switch that has done its time.
        public static let worn = Bounce(longest: .milliseconds(60), most: 20)
        public static let none = Bounce(longest: .zero, most: 0)
    }

    private struct State {
        var generator: SeededGenerator
        var isPressed = false
        /// The changes that are still to come.
        var bounces: [ScheduledTimer] = []
    }

    private let line: SimulatedLine
    private let loop: EventLoop
    private let pressedLevel: Level
    private let bounce: Bounce
    private let state: Protected<State>

    /// `pressedLevel` is what the contact connects to: low for a button to ground.
    public init(
        on line: SimulatedLine, loop: EventLoop, pressedLevel: Level = .low, bounce: Bounce = .average,
        generator: SeededGenerator
    ) {
        self.line = line
        self.loop = loop
        self.pressedLevel = pressedLevel
        self.bounce = bounce
        state = Protected(State(generator: generator))
    }

    /// Whether somebody holds it down.
    public var isPressed: Bool { state.withLock { $0.isPressed } }

    /// Somebody presses the button for that long, as often as that, with a pause between.
    public func press(for duration: Duration, times: Int = 1, pause: Duration = .milliseconds(150)) {
        guard times > 0 else { return }
        set(true)
        loop.schedule(after: duration) { [weak self] in
            self?.set(false)
            guard times > 1 else { return }
            self?.loop.schedule(after: pause) { [weak self] in
                self?.press(for: duration, times: times - 1, pause: pause)
            }
        }
    }

    /// Somebody presses it and keeps it down, or lets go of it.
    public func set(_ isPressed: Bool) {
        let now = loop.now
        let times = state.withLock { state -> [Duration] in
            state.isPressed = isPressed
            for bounce in state.bounces { bounce.cancel() }
            let count = Int.random(in: 0...max(bounce.most, 0), using: &state.generator)
            let part = Double.random(in: 0..<1, using: &state.generator)
            let length = bounce.longest * (part * part * part)
            return (0..<2 * count).map { _ in now + length * Double.random(in: 0..<1, using: &state.generator) }
                .sorted()
        }
        let levels: [Level?] = isPressed ? [nil, pressedLevel] : [pressedLevel, nil]
        line.drive(levels[1])
        let line = line
        let timers = times.enumerated().map { index, time in
            loop.schedule(at: time) { line.drive(levels[index % 2]) }
        }
        state.withLock { $0.bounces = timers }
    }

    /// A spike on the wire, such as a relay nearby makes.
    public func spike(for duration: Duration) {
        guard !isPressed else { return }
        line.drive(pressedLevel)
        loop.schedule(after: duration) { [weak self] in
            if let self, !isPressed { line.drive(nil) }
        }
    }
}
