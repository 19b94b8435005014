import DeviceKit
import KernelSensorDriver
import Peripherals
import SimulatedPeripherals

/// A sensor of the kernel that a device names.
struct KernelSensorPart: SimulatedPart {
    private static let value = Option("to", .number(-1e9...1e9), "what it becomes, in the reading's unit")
    private static let conditions: [String: DS18B20Model.Condition] = [
        "good": .good, "losing-power": .losingPower, "short": .shortCircuited, "cut": .cut,
    ]
    private static let condition = Option("to", .choice(conditions), "what becomes of it")

    static let model = PartModel(
        driver: KernelSensorDevice.driver.name,
        stimuli: [
            CommandDescription("value", "what it measures changes", arguments: [value.description]),
            CommandDescription(
                "wire", "what becomes of a 1-Wire sensor's wire or supply", arguments: [condition.description]),
        ]
    ) { wiring in
        let source = try KernelSensorDevice.source(wiring.options)
        let sensor = wiring.board.addKernelSensor(source.sensor)
        guard source.sensor.sensorClass != .w1 else {
            return KernelSensorPart(sensor: sensor, attribute: "", factor: 1, thermometer: DS18B20Model(on: sensor))
        }
        let attribute = source.sensor.sensorClass == .hwmon ? "\(source.channel)_input" : "in_\(source.channel)_input"
        let part = KernelSensorPart(sensor: sensor, attribute: attribute, factor: source.factor, thermometer: nil)
        part.set(21)
        return part
    }

    let sensor: SimulatedKernelSensor
    let attribute: String
    let factor: Double
    let thermometer: DS18B20Model?

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "value": set(try stimulus.arguments[Self.value])
        case "wire": thermometer?.condition = try stimulus.arguments[Self.condition]
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }

    private func set(_ value: Double) {
        if let thermometer { thermometer.celsius = value } else { sensor[attribute] = "\((value / factor).rounded())" }
    }
}
