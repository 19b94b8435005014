import DeviceKit
import Peripherals

/// A servo that goes to angles.
struct PositionStateMachine: ServoStateMachine {
    struct Settings {
        let calibration: ServoCalibration
        /// It is never sent beyond.
        let limits: ClosedRange<Angle>
        var speed: AngularSpeed?
        var easing = Easing.linear
        /// How long it is held after a move.
        var restAfter: Duration?
        /// Where it goes before it is let go of at the end.
        var parkAt: Angle?
    }

    private let settings: Settings
    private var path: (course: ServoPath, start: Duration)?
    /// Whether a soft stop cut the path that goes on.
    private var isLimited = false
    /// Where it was driven last; `nil` before the first command.
    private var position: Angle?
    private var isHeld = false
    private var pulse: Duration?
    /// Since when it has stood.
    private var stands: Duration = .zero

    init(_ settings: Settings) { self.settings = settings }

    mutating func perform(_ command: Command, at now: Duration) throws {
        switch command.name {
        case "move", "sweep", "play": begin(try Self.steps(of: command), at: now)
        case "stop":
            halt(at: now)
            stands = now
        case "release":
            halt(at: now)
            isHeld = false
        default: throw DeviceError.unknownCommand(command.name)
        }
    }

    private static func steps(of command: Command) throws -> [ServoMove] {
        let arguments = command.arguments
        switch command.name {
        case "move": return [.move(to: try arguments[Servo.to], over: try arguments[Servo.over])]
        case "sweep":
            let ends = [try arguments[Servo.from], try arguments[Servo.to]]
            let time = try arguments[Servo.sweepOver]
            let passes = (1...(try arguments[Servo.times])).map { ServoMove.move(to: ends[$0 % 2], over: time) }
            return [.move(to: ends[0], over: .zero)] + passes
        default:
            let steps = try arguments[Servo.steps]
            return Array(repeatElement(steps, count: try arguments[Servo.times]).joined())
        }
    }

    mutating func resume(at now: Duration) {
        guard let end = path?.course.end else { return }
        // It has stood still meanwhile: it takes the way that is left, and not all at once.
        path = nil
        begin([.move(to: end, over: .zero)], at: now)
    }

    mutating func park(at now: Duration) {
        let wasDriven = position != nil || path != nil
        halt(at: now)
        if let target = settings.parkAt, wasDriven { begin([.move(to: target, over: .zero)], at: now) }
    }

    mutating func step(at now: Duration) -> ServoStep {
        var step = ServoStep()
        if let (course, start) = path {
            position = course.angle(at: now - start)
            isHeld = true
            if now - start >= course.duration {
                path = nil
                stands = now
                step.events = [moved()]
            } else {
                step.next = course.waitsUntil(now - start).map { .at(start + $0) } ?? .nextPeriod
            }
        }
        if path == nil, isHeld, let wait = settings.restAfter {
            if now >= stands + wait { isHeld = false } else { step.next = .at(stands + wait) }
        }
        pulse = isHeld ? position.map { changedPulse(for: $0, isMoving: step.next == .nextPeriod) } : nil
        step.pulse = pulse
        step.states = ["moving": path != nil, "holding": isHeld]
        return step
    }

    /// While it moves, a pulse changes by a microsecond or not at all: a servo's dead band is 5 us and more (SG90), and
    /// each change costs a system call. Where it stands it is exact.
    private func changedPulse(for angle: Angle, isMoving: Bool) -> Duration {
        let width = settings.calibration.pulseWidth(for: angle)
        guard isMoving, let pulse, abs((width - pulse) / .microseconds(1)) < 1 else { return width }
        return pulse
    }

    private func moved() -> ServoEvent {
        ServoEvent(
            name: "moved",
            fields: [.init("degrees", .number(position?.degrees ?? 0))]
                + (isLimited ? [.init("limited", .flag(true))] : []))
    }

    private mutating func begin(_ steps: [ServoMove], at now: Duration) {
        halt(at: now)
        isLimited = false
        var course = ServoPath(from: position, easing: settings.easing, speed: settings.speed)
        for step in steps {
            switch step {
            case .move(let angle, let time):
                let limited = min(max(angle, settings.limits.lowerBound), settings.limits.upperBound)
                isLimited = isLimited || limited != angle
                course.move(to: limited, over: time)
            case .wait(let time): course.wait(time)
            }
        }
        // Nothing but waits, and it was never driven: it is not driven for them.
        if course.end != nil { path = (course, now) }
    }

    /// It is where its path has brought it by now.
    private mutating func halt(at now: Duration) {
        if let (course, start) = path { position = course.angle(at: now - start) }
        path = nil
    }
}
