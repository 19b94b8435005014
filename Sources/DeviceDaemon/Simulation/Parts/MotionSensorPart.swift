import DeviceKit
import DeviceRuntime
import MotionSensorDriver
import SimulatedPeripherals

/// The motion sensors on a device's lines.
struct MotionSensorPart: SimulatedPart {
    static let stay = Option(
        "for", .duration(.milliseconds(1) ... .seconds(86400)), default: "3s", "how long they are in sight")
    static let broken = Option(
        "for", .duration(.milliseconds(1) ... .seconds(30 * 86400)), default: "1min", "how long")
    static let at = Option("at", .text, default: "all", "the line of one of several sensors")

    static let model = PartModel(
        driver: MotionSensor.driver.name,
        stimuli: [
            CommandDescription(
                "walk-past", "somebody walks past it", arguments: [stay.description, at.description]),
            CommandDescription(
                "stick", "its output stays high, whatever it sees", arguments: [broken.description, at.description]),
            CommandDescription(
                "chatter", "its wire is loose: the output changes ten times a second",
                arguments: [broken.description, at.description]),
        ],
        observations: [
            ObservationDescription("moving", "whether somebody moves in front of any of them"),
            ObservationDescription("output", "whether the output of any of them says so"),
        ]
    ) { wiring in
        let jumper = try wiring.options[MotionSensor.jumper]
        let activeLevel = try wiring.options[MotionSensor.active]
        var generator = wiring.generator
        return MotionSensorPart(
            sensors: try wiring.options[MotionSensor.pin].map { pin in
                let sensor = MotionSensorModel(
                    on: try wiring.board.line(pin), loop: wiring.board.loop,
                    jumper: jumper == .high ? .retriggering : .single, activeLevel: activeLevel, generator: generator)
                // Each sensor has its own false triggers.
                generator = SeededGenerator(seed: generator.next())
                return (pin, sensor)
            })
    }

    let sensors: [(pin: String, sensor: MotionSensorModel)]

    func move(for duration: Duration) { for (_, sensor) in sensors { sensor.move(for: duration) } }

    func apply(_ stimulus: Command) throws {
        let place = try stimulus.arguments[Self.at]
        let chosen = sensors.filter { place == "all" || $0.pin == place }.map(\.sensor)
        guard !chosen.isEmpty else { throw NoSuchSensor(place: place, pins: sensors.map(\.pin)) }
        for sensor in chosen {
            switch stimulus.name {
            case "walk-past": sensor.move(for: try stimulus.arguments[Self.stay])
            case "stick": sensor.stick(for: try stimulus.arguments[Self.broken])
            case "chatter": sensor.chatter(for: try stimulus.arguments[Self.broken])
            default: throw DeviceError.unknownCommand(stimulus.name)
            }
        }
    }

    func observe(_ name: String) -> Value? {
        switch name {
        case "moving": .flag(sensors.contains { $0.sensor.isMoving })
        case "output": .flag(sensors.contains { $0.sensor.isActive })
        default: nil
        }
    }

    func powerOn() { for (_, sensor) in sensors { sensor.powerOn() } }

    private struct NoSuchSensor: Error, CustomStringConvertible {
        let place: String
        let pins: [String]
        var description: String { "there is no sensor at '\(place)'; there are \(pins.joined(separator: ", "))" }
    }
}
