public import DeviceRuntime
import Peripherals

/// A hobby servo on a PWM channel: it turns to where its pulses say, as fast as it can, and complains in the trace when
/// they drive it into its end stops, end while it holds its place, or are none that it knows.
public final class ServoModel: Sendable {
    /// What a servo is like: an SG90's speed and a digital servo's dead band (an SG90 has 5 us to 10 us). What its pulses
    /// mean differs from one to the next.
    public struct Traits: Sendable, Hashable {
        /// The degrees at the two pulses.
        public var degrees: ClosedRange<Double> = 0...180
        public var firstPulse: Duration = .milliseconds(1)
        public var lastPulse: Duration = .milliseconds(2)
        /// How far it turns beyond its range before the mechanics stop it.
        public var play = 5.0
        /// Degrees in a second: 60 in 0.1 s.
        public var speed = 600.0
        /// It does not follow a pulse that changes by less.
        public var deadBand: Duration = .microseconds(2)
        /// How long it goes on holding without a pulse.
        public var patience: Duration = .milliseconds(50)
        /// Periods that it knows: from 333 Hz, a digital servo's, to 20 Hz.
        public var periods: ClosedRange<Duration> = .milliseconds(3) ... .milliseconds(50)

        public init() {}

        var stops: ClosedRange<Double> { degrees.lowerBound - play...degrees.upperBound + play }

        func degrees(at pulse: Duration) -> Double {
            let span = (lastPulse - firstPulse) / .microseconds(1)
            guard span != 0 else { return degrees.lowerBound }
            let part = ((pulse - firstPulse) / .microseconds(1)) / span
            return degrees.lowerBound + part * (degrees.upperBound - degrees.lowerBound)
        }
    }

    private struct State {
        /// Where the horn pointed, and when.
        var angle: Double
        var since: Duration
        /// Where its motor turns it; `nil` for a motor without pulses.
        var target: Double?
        var pulse: Duration = .zero
        var isStrained = false
        /// Where it was last said to stand.
        var told: Double?
        /// To say where it stands, and to lose hold without pulses.
        var arrival: ScheduledTimer?
        var slack: ScheduledTimer?
    }

    private let name: String
    private let loop: EventLoop
    private let trace: Trace
    private let traits: Traits
    private let state: Protected<State>

    /// Where it stands at first is drawn: nobody knows that of a servo.
    public init(
        name: String, on channel: SimulatedPWMChannel, traits: Traits = Traits(), trace: Trace, loop: EventLoop,
        generator: SeededGenerator
    ) {
        self.name = name
        self.loop = loop
        self.trace = trace
        self.traits = traits
        var generator = generator
        let angle = Double.random(in: traits.stops, using: &generator).rounded()
        state = Protected(State(angle: angle, since: loop.now))
        channel.watch { [weak self] in self?.take($0) }
    }

    /// Where its horn points now, in degrees.
    public var angle: Double { state.withLock { position($0, at: loop.now) } }

    /// Whether its motor holds the horn.
    public var isHolding: Bool { state.withLock { $0.target != nil } }

    /// Somebody turns the horn by hand, which a motor does not let happen.
    public func turn(to degrees: Double) {
        let hasTurned = state.withLock { state in
            guard state.target == nil else { return false }
            state.angle = min(max(degrees, traits.stops.lowerBound), traits.stops.upperBound)
            state.since = loop.now
            return true
        }
        if !hasTurned { trace.record(name, "somebody turns the horn against its motor") }
    }

    private func take(_ signal: PWMSettings) {
        let hasPulses = signal.isEnabled && signal.pulseWidth > .zero
        guard hasPulses, traits.periods.contains(signal.period) else {
            if hasPulses { trace.record(name, "knows no pulses every \(signal.period)") }
            // The last pulse still counts for a while.
            let timer = loop.schedule(after: traits.patience) { [weak self] in self?.loseHold() }
            return state.withLock { state in
                state.slack?.cancel()
                state.slack = timer
            }
        }
        let now = loop.now
        let complaint = state.withLock { state -> String? in
            state.slack?.cancel()
            let change = signal.pulseWidth - state.pulse
            if state.target != nil, abs(change / .microseconds(1)) < traits.deadBand / .microseconds(1) { return nil }
            state.angle = position(state, at: now)
            state.since = now
            state.pulse = signal.pulseWidth
            let wanted = traits.degrees(at: signal.pulseWidth)
            let stops = traits.stops
            let target = min(max(wanted, stops.lowerBound), stops.upperBound)
            state.target = target
            defer { state.isStrained = wanted != target }
            return wanted != target && !state.isStrained
                ? "is driven into its end stop at \(Self.text(target))" : nil
        }
        if let complaint { trace.record(name, complaint) }
        // Told when it has come to rest, not at each step of a slow move.
        let timer = loop.schedule(after: .milliseconds(400)) { [weak self] in self?.stand() }
        state.withLock { state in
            state.arrival?.cancel()
            state.arrival = timer
        }
    }

    private func stand() {
        let now = loop.now
        let angle = state.withLock { state -> Double? in
            let angle = position(state, at: now)
            guard state.target != nil, angle != state.told else { return nil }
            state.told = angle
            return angle
        }
        if let angle { trace.record(name, "horn stands at \(Self.text(angle))") }
    }

    private func loseHold() {
        let now = loop.now
        let (before, after) = state.withLock { state -> (Double?, Double) in
            defer { state.target = nil }
            state.angle = position(state, at: now)
            state.since = now
            return (state.target, state.angle)
        }
        guard let before else { return }
        let place = "no pulses: nothing holds it at \(Self.text(after))"
        trace.record(name, before == after ? place : place + ", short of \(Self.text(before))")
    }

    private func position(_ state: State, at time: Duration) -> Double {
        guard let target = state.target else { return state.angle }
        let reach = traits.speed * ((time - state.since) / .seconds(1))
        return state.angle + min(max(target - state.angle, -reach), reach)
    }

    /// `90deg`, to a tenth.
    private static func text(_ degrees: Double) -> String { "\(Angle.degrees((degrees * 10).rounded() / 10))" }
}
