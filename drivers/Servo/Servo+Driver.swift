public import DeviceKit
public import Peripherals

extension Servo {
    public static let pwm = Option("pwm", .pwmChannel, "the PWM channel that the signal wire is connected to")
    public static let range = Option(
        "range", .angleRange(.degrees(-360) ... .degrees(360)), default: "0deg, 180deg",
        "the angles at the shortest and at the longest pulse")
    public static let minimumPulse = Option(
        "minimum-pulse", .duration(.microseconds(500) ... .microseconds(2500)), default: "1ms",
        "the pulse at the first angle of the range")
    public static let maximumPulse = Option(
        "maximum-pulse", .duration(.microseconds(500) ... .microseconds(2500)), default: "2ms",
        "the pulse at the last angle of the range")
    public static let inverted = Option(
        "inverted", .flag, default: "no", "whether it is mounted the other way round: the pulses change places")
    static let limits = Option(
        "limits", .optional(.angleRange(.degrees(-360) ... .degrees(360)), or: "range"), default: "range",
        "soft stops: it is never sent beyond")
    static let speed = Option(
        "speed", .optional(.angularSpeed, or: "off"), default: "off", "it is never led faster")
    static let easing = Option(
        "easing", .choice(Dictionary(uniqueKeysWithValues: Easing.allCases.map { ($0.rawValue, $0) })),
        default: "linear", "at one speed, or slowly at both ends of a move")
    static let restAfter = Option(
        "rest-after", .optional(.duration(.milliseconds(100) ... .seconds(86400)), or: "off"), default: "off",
        "how long after a move the pulses end: the servo is silent then, and holds nothing")
    static let parkAt = Option(
        "park-at", .optional(.angle(.degrees(-360) ... .degrees(360)), or: "off"), default: "off",
        "where it goes when Perch stops, if it was moved at all")

    private static let anyAngle = OptionKind.angle(.degrees(-360) ... .degrees(360))
    private static let duration = OptionKind.duration(.zero ... .seconds(600))
    static let to = Option("to", anyAngle, "where to go; held at the soft stops")
    static let from = Option("from", anyAngle, "where to begin")
    static let over = Option("over", duration, default: "0s", "how long it takes at least")
    static let sweepOver = Option("over", duration, default: "1s", "how long each pass takes at least")
    static let times = Option(
        "times", .integer(1...1000), default: "1", "how often; a pass there and a pass back are two")
    static let steps = Option("steps", .servoSteps, "what to do, one after the other")

    public static let driver = Driver(
        name: "servo",
        summary: "a hobby servo that goes to angles",
        options: [
            pwm.description, range.description, minimumPulse.description, maximumPulse.description,
            inverted.description, limits.description, speed.description, easing.description, restAfter.description,
            parkAt.description,
        ],
        events: [
            EventDescription(
                "moved", "a move is over",
                fields: [
                    FieldDescription("degrees", .number, unit: .degrees, "where it stands"),
                    FieldDescription("limited", .flag, "there if a soft stop cut the move"),
                ])
        ],
        states: [
            StateDescription("moving", "a move is going on"),
            StateDescription("holding", "there are pulses: the servo holds its place"),
        ],
        commands: [
            CommandDescription("move", "goes to an angle", arguments: [to.description, over.description]),
            CommandDescription(
                "sweep", "goes from one angle to another, and back as often as said",
                arguments: [from.description, to.description, sweepOver.description, times.description]),
            CommandDescription(
                "play", "goes through a sequence of moves", arguments: [steps.description, times.description]),
            CommandDescription("stop", "stays where it is, and holds its place"),
            CommandDescription("release", "ends the pulses: it rests, and can be turned by hand"),
        ],
        claims: { [Driver.Claim("pwm", try $0[pwm])] },
        makeDevice: { options, context in
            let angles = try options[range]
            let settings = PositionStateMachine.Settings(
                calibration: ServoCalibration(
                    angles: angles, firstPulse: try options[minimumPulse], lastPulse: try options[maximumPulse],
                    isInverted: try options[inverted]),
                limits: (try options[limits] ?? angles).clamped(to: angles), speed: try options[speed],
                easing: try options[easing], restAfter: try options[restAfter], parkAt: try options[parkAt])
            return Servo(try options[pwm], PositionStateMachine(settings), context)
        })
}
