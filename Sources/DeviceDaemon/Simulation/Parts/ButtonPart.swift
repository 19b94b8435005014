import ButtonDriver
import DeviceKit
import SimulatedPeripherals

/// A push button on a device's line.
struct ButtonPart: SimulatedPart {
    static let hold = Option("for", .duration(.milliseconds(1) ... .seconds(3600)), default: "200ms", "how long")
    static let model = PartModel(
        driver: Button.driver.name,
        stimuli: [CommandDescription("press", "somebody presses it", arguments: [hold.description])]
    ) { wiring in
        let line = try wiring.board.line(wiring.options[Button.pin])
        return ButtonPart(
            button: PushButtonModel(
                on: line, loop: wiring.board.loop, pressedLevel: try Button.activeLevel(wiring.options),
                generator: wiring.generator))
    }

    let button: PushButtonModel

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "press": button.press(for: try stimulus.arguments[Self.hold])
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }
}
