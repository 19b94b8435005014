public import DeviceKit
import Peripherals

/// A servo without end stops: its pulse is a speed. Its device is a ``Servo`` with another state machine.
public enum ContinuousServo {
    public static let neutralPulse = Option(
        "neutral-pulse", .duration(.microseconds(1000) ... .microseconds(2000)), default: "1500us",
        "the pulse at which it stands still")
    public static let span = Option(
        "span", .duration(.microseconds(50) ... .microseconds(1000)), default: "500us",
        "how far the pulse at full speed is from the neutral one")
    public static let inverted = Option("inverted", .flag, default: "no", "whether it is mounted the other way round")
    static let ramp = Option(
        "ramp", .duration(.zero ... .seconds(60)), default: "0s", "how long it takes from standing to full speed")

    static let speed = Option("speed", .percent(-1...1), "how fast; below zero the other way round")
    static let time = Option(
        "for", .optional(.duration(.milliseconds(20) ... .seconds(86400)), or: "ever"), default: "ever",
        "how long, until it stops by itself")

    public static let driver = Driver(
        name: "continuous-servo",
        summary: "a hobby servo without end stops, which is given a speed",
        options: [
            Servo.pwm.description, neutralPulse.description, span.description, inverted.description, ramp.description,
        ],
        events: [EventDescription("stopped", "it stands still after it turned")],
        states: [StateDescription("turning", "it turns")],
        commands: [
            CommandDescription("turn", "turns", arguments: [speed.description, time.description]),
            CommandDescription("stop", "stops, by the ramp; the pulses then end, so that nothing creeps"),
        ],
        claims: { [Driver.Claim("pwm", try $0[Servo.pwm])] },
        makeDevice: { options, context in
            let settings = RotationStateMachine.Settings(
                neutral: try options[neutralPulse], span: try options[span], isInverted: try options[inverted],
                ramp: try options[ramp])
            return Servo(try options[Servo.pwm], RotationStateMachine(settings), context)
        })
}
