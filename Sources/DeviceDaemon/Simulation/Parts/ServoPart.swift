import DeviceKit
import Peripherals
import ServoDriver
import SimulatedPeripherals

/// A servo on a device's PWM channel, as the device's options calibrate it.
struct ServoPart: SimulatedPart {
    static let to = Option("to", .angle(.degrees(-360) ... .degrees(360)), "where to")
    static let model = PartModel(
        driver: Servo.driver.name,
        stimuli: [CommandDescription("turn", "somebody turns its horn by hand", arguments: [to.description])],
        observations: [
            ObservationDescription("angle", "where its horn points, in degrees"),
            ObservationDescription("holding", "whether its motor holds the horn"),
        ]
    ) { wiring in
        let options = wiring.options
        var traits = ServoModel.Traits()
        let range = try options[Servo.range]
        traits.degrees = range.lowerBound.degrees...range.upperBound.degrees
        let pulses = [try options[Servo.minimumPulse], try options[Servo.maximumPulse]]
        let isInverted = try options[Servo.inverted]
        (traits.firstPulse, traits.lastPulse) = isInverted ? (pulses[1], pulses[0]) : (pulses[0], pulses[1])
        return ServoPart(
            servo: ServoModel(
                name: wiring.name, on: try wiring.board.pwmChannel(options[Servo.pwm]), traits: traits,
                trace: wiring.board.trace, loop: wiring.board.loop, generator: wiring.generator))
    }

    let servo: ServoModel

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "turn": servo.turn(to: try stimulus.arguments[Self.to].degrees)
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }

    func observe(_ name: String) -> Value? {
        switch name {
        case "angle": .number((servo.angle * 10).rounded() / 10)
        case "holding": .flag(servo.isHolding)
        default: nil
        }
    }
}

/// A servo without end stops.
struct ContinuousServoPart: SimulatedPart {
    static let model = PartModel(
        driver: ContinuousServo.driver.name,
        observations: [ObservationDescription("speed", "how fast it turns, in percent of its full speed")]
    ) { wiring in
        let options = wiring.options
        let span = try options[ContinuousServo.span]
        return ContinuousServoPart(
            channel: try wiring.board.pwmChannel(options[Servo.pwm]),
            neutral: try options[ContinuousServo.neutralPulse],
            span: try options[ContinuousServo.inverted] ? .zero - span : span)
    }

    let channel: SimulatedPWMChannel
    let neutral: Duration
    let span: Duration

    func observe(_ name: String) -> Value? {
        guard name == "speed" else { return nil }
        let signal = channel.signal
        guard signal.isEnabled, signal.pulseWidth > .zero else { return .number(0) }
        let percent = (signal.pulseWidth - neutral) / span * 100
        return .number((min(max(percent, -100), 100) * 10).rounded() / 10)
    }
}
