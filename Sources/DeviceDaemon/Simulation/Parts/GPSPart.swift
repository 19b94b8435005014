import DeviceKit
import GPSDriver
import SimulatedPeripherals

/// A satellite receiver on a device's serial port.
struct GPSPart: SimulatedPart {
    private static let latitude = Option("latitude", .number(-90...90), "north is positive")
    private static let longitude = Option("longitude", .number(-180...180), "east is positive")
    private static let count = Option("count", .integer(1...100_000), default: "1", "how many")

    static let model = PartModel(
        driver: GPS.driver.name,
        stimuli: [
            CommandDescription(
                "go", "it is taken to another place", arguments: [latitude.description, longitude.description]),
            CommandDescription("lose-fix", "it does not know any more where it is"),
            CommandDescription("find-fix", "it knows again where it is"),
            CommandDescription("fall-silent", "it stops talking"),
            CommandDescription("talk", "it talks again"),
            CommandDescription("damage", "sentences are damaged on their way", arguments: [count.description]),
        ]
    ) { wiring in
        let port = try wiring.board.serialPort(wiring.options[GPS.port])
        return GPSPart(receiver: GPSModel(on: port, loop: wiring.board.loop))
    }

    let receiver: GPSModel

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "go":
            let (latitude, longitude) = (
                try stimulus.arguments[Self.latitude], try stimulus.arguments[Self.longitude]
            )
            receiver.situation.latitude = latitude
            receiver.situation.longitude = longitude
        case "lose-fix": receiver.situation.hasFix = false
        case "find-fix": receiver.situation.hasFix = true
        case "fall-silent": receiver.situation.isTalking = false
        case "talk": receiver.situation.isTalking = true
        case "damage": receiver.damageSentences(try stimulus.arguments[Self.count])
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }
}
