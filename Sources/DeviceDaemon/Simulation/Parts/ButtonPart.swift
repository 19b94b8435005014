import ButtonDriver
import DeviceKit
import Peripherals
import SimulatedPeripherals

/// A push button on a device's line.
struct ButtonPart: SimulatedPart {
    static let hold = Option("for", .duration(.milliseconds(1) ... .seconds(3600)), default: "200ms", "how long")
    static let times = Option("times", .integer(1...1000), default: "1", "how often")
    static let pause = Option(
        "pause", .duration(.milliseconds(1) ... .seconds(3600)), default: "150ms", "how long between two presses")
    static let spike = Option("for", .duration(.microseconds(1) ... .seconds(1)), default: "1ms", "how long")

    static let model = PartModel(
        driver: Button.driver.name,
        stimuli: [
            CommandDescription(
                "press", "somebody presses it",
                arguments: [hold.description, times.description, pause.description]),
            CommandDescription("hold", "somebody presses it and keeps it down"),
            CommandDescription("release", "somebody lets go of it"),
            CommandDescription("spike", "its wire catches a pulse from elsewhere", arguments: [spike.description]),
        ],
        observations: [ObservationDescription("down", "whether somebody holds it down")]
    ) { wiring in
        let line = try wiring.board.line(wiring.options[Button.pin])
        let pressedLevel = try Button.activeLevel(wiring.options)
        // A button without the board's pull resistor has one of its own.
        if [Bias.disabled, .asIs].contains(try wiring.options[Button.pull]) { line.pull(pressedLevel.inverted) }
        return ButtonPart(
            button: PushButtonModel(
                on: line, loop: wiring.board.loop, pressedLevel: pressedLevel, generator: wiring.generator))
    }

    let button: PushButtonModel

    func apply(_ stimulus: Command) throws {
        let arguments = stimulus.arguments
        switch stimulus.name {
        case "press":
            button.press(
                for: try arguments[Self.hold], times: try arguments[Self.times], pause: try arguments[Self.pause])
        case "hold": button.set(true)
        case "release": button.set(false)
        case "spike": button.spike(for: try arguments[Self.spike])
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }

    func observe(_ name: String) -> Value? { name == "down" ? .flag(button.isPressed) : nil }
}
