public import DeviceKit
import DeviceRuntime
import Peripherals

/// A hobby servo on a PWM channel.
///
/// Nothing is driven before the first command, and nothing after the end: a servo without pulses rests.
public actor Servo: Device {
    private let context: DeviceContext
    private let channel: String
    private let calibration: ServoCalibration

    private var motion: ServoMotion?
    /// Where it was driven last; `nil` before the first command.
    private var position: Angle?
    private var wake: AsyncStream<Void>.Continuation?

    /// 50 Hz, what hobby servos are made for.
    private static let period: Duration = .milliseconds(20)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        channel = try options[Self.pwm]
        let (least, most) = (try options[Self.minimumPulse], try options[Self.maximumPulse])
        calibration = ServoCalibration(angles: try options[Self.range], pulses: min(least, most)...max(least, most))
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let output = try await context.board.makePWMOutput(channel, consumer: context.name)
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        do {
            try await output.setPeriod(Self.period)
            ready()
            // After a failure it goes back to where it was to stand.
            if motion == nil, let position { begin(to: position) }
            wake.yield()
            for await _ in wakes where motion != nil { try await follow(output) }
            await rest(output)
            try Task.checkCancellation()
        } catch {
            await rest(output)
            throw error
        }
    }

    public func perform(_ command: Command) async throws {
        let arguments = command.arguments
        switch command.name {
        case "move": begin(to: try arguments[Self.to], over: try arguments[Self.over])
        case "sweep":
            begin(from: try arguments[Self.from], to: try arguments[Self.to], over: try arguments[Self.sweepOver])
        default: throw DeviceError.unknownCommand(command.name)
        }
        wake?.yield()
    }

    /// Without `from` it goes from where it stands; where that is not known, as fast as it can.
    private func begin(from: Angle? = nil, to: Angle, over duration: Duration = .zero) {
        let now = context.clock.now
        motion = ServoMotion(
            from: from ?? motion?.angle(at: now) ?? position ?? to, to: to, start: now, duration: duration)
    }

    /// Drives the servo along its motion, a step each period.
    private func follow(_ output: any PWMOutput) async throws {
        context.setState("moving", true)
        defer { context.setState("moving", false) }
        var next = context.clock.now
        while let motion {
            let angle = motion.angle(at: context.clock.now)
            try await output.setPulseWidth(calibration.pulseWidth(for: angle))
            try await output.enable()
            position = angle
            if motion.isOver(at: context.clock.now), motion == self.motion {
                self.motion = nil
                return context.emit("moved", [.init("degrees", .number(angle.degrees))])
            }
            next += Self.period
            try await context.clock.sleep(until: next)
        }
    }

    private func rest(_ output: any PWMOutput) async {
        wake = nil
        await output.close()
    }
}

extension Servo {
    static let pwm = Option("pwm", .pwmChannel, "the PWM channel that the signal wire is connected to")
    static let range = Option(
        "range", .angleRange(.degrees(-360)...(.degrees(360))), default: "0deg, 180deg",
        "the angles at the shortest and at the longest pulse")
    static let minimumPulse = Option(
        "minimum-pulse", .duration(.microseconds(500)...(.microseconds(2500))), default: "1ms",
        "the pulse at the first angle of the range")
    static let maximumPulse = Option(
        "maximum-pulse", .duration(.microseconds(500)...(.microseconds(2500))), default: "2ms",
        "the pulse at the last angle of the range")

    private static let anyAngle = OptionKind.angle(.degrees(-360)...(.degrees(360)))
    private static let time = OptionKind.duration(.zero...(.seconds(600)))
    static let to = Option("to", anyAngle, "where to go; held at the ends of the range")
    static let from = Option("from", anyAngle, "where to begin")
    static let over = Option("over", time, default: "0s", "how long it takes; 0s is as fast as the servo can")
    static let sweepOver = Option("over", time, default: "1s", "how long it takes")

    public static let driver = Driver(
        name: "servo",
        summary: "a hobby servo",
        options: [pwm.description, range.description, minimumPulse.description, maximumPulse.description],
        events: [EventDescription("moved", "a move is over; `degrees` is where it stands")],
        states: [StateDescription("moving", "a move is going on")],
        commands: [
            CommandDescription("move", "goes to an angle", arguments: [to.description, over.description]),
            CommandDescription(
                "sweep", "goes from one angle to another",
                arguments: [from.description, to.description, sweepOver.description]),
        ],
        claims: { [Driver.Claim("pwm", try $0[pwm])] },
        makeDevice: { try Servo($0, $1) })
}
