import DeviceKit

/// A servo without end stops, which is given a speed.
struct RotationStateMachine: ServoStateMachine {
    struct Settings {
        /// Where it stands still.
        let neutral: Duration
        /// How far the pulse at full speed is from that.
        let span: Duration
        var isInverted = false
        /// How long it takes from standing to full speed.
        var ramp: Duration = .zero
    }

    private let settings: Settings
    /// From -1 to 1: what it changes from, and when, and to.
    private var (from, since, to): (Double, Duration, Double) = (0, .zero, 0)
    private var isTurning = false
    private var end: Duration?

    init(_ settings: Settings) { self.settings = settings }

    mutating func perform(_ command: Command, at now: Duration) throws {
        switch command.name {
        case "turn":
            change(to: try command.arguments[ContinuousServo.speed], at: now)
            end = try command.arguments[ContinuousServo.time].map { now + $0 }
        case "stop": change(to: 0, at: now)
        default: throw DeviceError.unknownCommand(command.name)
        }
    }

    mutating func resume(at now: Duration) {
        guard isTurning else { return }
        let target = to
        (from, to) = (0, 0)
        let rest = end
        change(to: rest.map { $0 <= now } == true ? 0 : target, at: now)
        end = rest
    }

    mutating func park(at now: Duration) { change(to: 0, at: now) }

    mutating func step(at now: Duration) -> ServoStep {
        if let end, end <= now { change(to: 0, at: now) }
        let speed = speed(at: now)
        let wasTurning = isTurning
        isTurning = speed != 0 || to != 0
        var step = ServoStep(states: ["turning": isTurning])
        // No pulse at the neutral place: one that is a little off would let it creep.
        guard isTurning else {
            if wasTurning { step.events = [ServoEvent(name: "stopped")] }
            return step
        }
        step.pulse = settings.neutral + settings.span * (settings.isInverted ? -speed : speed)
        step.next = speed != to ? .nextPeriod : end.map { .at($0) } ?? .never
        return step
    }

    private mutating func change(to speed: Double, at now: Duration) {
        (from, since, to) = (self.speed(at: now), now, speed)
        isTurning = isTurning || speed != 0
        end = nil
    }

    private func speed(at now: Duration) -> Double {
        let time = settings.ramp * abs(to - from)
        let elapsed = now - since
        return elapsed >= time ? to : from + (to - from) * (elapsed / time)
    }
}
