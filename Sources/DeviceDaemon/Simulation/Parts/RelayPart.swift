import DeviceKit
import RelayDriver
import SimulatedPeripherals

/// A relay on a device's line.
struct RelayPart: SimulatedPart {
    static let model = PartModel(
        driver: Relay.driver.name,
        observations: [
            ObservationDescription("closed", "whether its contact is closed at this moment"),
            ObservationDescription("times-closed", "how often it has closed so far"),
        ]
    ) { wiring in
        let line = try wiring.board.line(wiring.options[Relay.pin])
        return RelayPart(
            load: LoadModel(
                on: line, activeLevel: try wiring.options[Relay.active], name: wiring.name, trace: wiring.board.trace,
                words: ("contact closes", "contact opens")))
    }

    let load: LoadModel

    func observe(_ name: String) -> Value? {
        switch name {
        case "closed": .flag(load.isOn)
        case "times-closed": .integer(load.timesOn)
        default: nil
        }
    }
}
