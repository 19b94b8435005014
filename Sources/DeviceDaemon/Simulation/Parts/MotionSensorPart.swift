import DeviceKit
import MotionSensorDriver
import SimulatedPeripherals

/// A motion sensor on a device's line.
struct MotionSensorPart: SimulatedPart {
    static let stay = Option(
        "for", .duration(.milliseconds(1) ... .seconds(86400)), default: "3s", "how long they are in sight")
    static let model = PartModel(
        driver: MotionSensor.driver.name,
        stimuli: [CommandDescription("walk-past", "somebody walks past it", arguments: [stay.description])]
    ) { wiring in
        let line = try wiring.board.line(wiring.options[MotionSensor.pin])
        return MotionSensorPart(
            sensor: MotionSensorModel(on: line, loop: wiring.board.loop, generator: wiring.generator))
    }

    let sensor: MotionSensorModel

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "walk-past": sensor.move(for: try stimulus.arguments[Self.stay])
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }
}
