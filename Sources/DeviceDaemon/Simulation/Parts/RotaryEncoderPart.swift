import DeviceKit
import RotaryEncoderDriver
import SimulatedPeripherals

/// A rotary encoder on a device's two lines.
struct RotaryEncoderPart: SimulatedPart {
    private static let steps = Option("steps", .integer(-1000...1000), "how far; negative is counterclockwise")
    private static let over = Option(
        "over", .duration(.milliseconds(1)...(.seconds(600))), default: "500ms", "how long it takes")

    static let model = PartModel(
        driver: RotaryEncoder.driver.name,
        stimuli: [CommandDescription("turn", "somebody turns it", arguments: [steps.description, over.description])]
    ) { wiring in
        RotaryEncoderPart(
            encoder: RotaryEncoderModel(
                a: try wiring.board.line(wiring.options[RotaryEncoder.a]),
                b: try wiring.board.line(wiring.options[RotaryEncoder.b]), loop: wiring.board.loop,
                closedLevel: try RotaryEncoder.closedLevel(wiring.options),
                changesPerStep: try wiring.options[RotaryEncoder.changesPerStep], generator: wiring.generator))
    }

    let encoder: RotaryEncoderModel

    func apply(_ stimulus: Command) throws {
        guard stimulus.name == "turn" else { throw DeviceError.unknownCommand(stimulus.name) }
        encoder.turn(by: try stimulus.arguments[Self.steps], over: try stimulus.arguments[Self.over])
    }
}
