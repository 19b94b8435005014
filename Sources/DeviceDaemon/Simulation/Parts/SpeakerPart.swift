import DeviceKit
import SimulatedPeripherals
import SpeakerDriver

/// A speaker on a device's PWM channel.
struct SpeakerPart: SimulatedPart {
    static let model = PartModel(
        driver: Speaker.driver.name,
        observations: [
            ObservationDescription("frequency", "what it sounds at, in hertz; 0 is silence"),
            ObservationDescription("note", "the nearest note, such as A4; silence has none"),
            ObservationDescription("sounds", "how many sounds were heard so far"),
        ]
    ) { wiring in
        SpeakerPart(
            speaker: SpeakerModel(
                name: wiring.name, on: try wiring.board.pwmChannel(wiring.options[Speaker.pwm]),
                trace: wiring.board.trace, loop: wiring.board.loop))
    }

    let speaker: SpeakerModel

    func observe(_ name: String) -> Value? {
        switch name {
        case "frequency": .integer(Int((speaker.hertz ?? 0).rounded()))
        case "note": .text(speaker.note ?? "")
        case "sounds": .integer(speaker.soundCount)
        default: nil
        }
    }
}
