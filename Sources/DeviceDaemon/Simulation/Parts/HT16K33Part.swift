import DeviceKit
import HT16K33Driver
import SimulatedPeripherals

/// A display on a device's bus.
struct HT16K33Part: SimulatedPart {
    static let model = PartModel(
        driver: HT16K33.driver.name,
        observations: [
            ObservationDescription("text", "what a person reads on the glass; spaces while it is dark"),
            ObservationDescription("brightness", "from 1 to 16 sixteenths"),
        ]
    ) { wiring in
        let chip = HT16K33Model(name: wiring.name, trace: wiring.board.trace, generator: wiring.generator)
        try wiring.board.i2cBus(wiring.options[HT16K33.bus]).attach(chip, at: wiring.options[HT16K33.address])
        return HT16K33Part(chip: chip)
    }

    let chip: HT16K33Model

    var drawing: String? { chip.drawing }

    func observe(_ name: String) -> Value? {
        switch name {
        case "text": .text(chip.text)
        case "brightness": .integer(chip.brightness)
        default: nil
        }
    }
}
