import DeviceKit
import LEDDriver
import SimulatedPeripherals

/// An LED on a device's line.
struct LEDPart: SimulatedPart {
    static let model = PartModel(
        driver: LED.driver.name,
        observations: [
            ObservationDescription("lit", "whether it gives light at this moment"),
            ObservationDescription("times-lit", "how often it came on so far"),
        ]
    ) { wiring in
        let line = try wiring.board.line(wiring.options[LED.pin])
        return LEDPart(
            load: LoadModel(
                on: line, activeLevel: try wiring.options[LED.active], name: wiring.name, trace: wiring.board.trace,
                words: ("lights up", "goes dark")))
    }

    let load: LoadModel

    func observe(_ name: String) -> Value? {
        switch name {
        case "lit": .flag(load.isOn)
        case "times-lit": .integer(load.timesOn)
        default: nil
        }
    }
}
