import BME280Driver
import DeviceKit
import SimulatedPeripherals

/// A BME280 on a device's bus.
struct BME280Part: SimulatedPart {
    private static let celsius = Option("to", .measure(.celsius, -60...120), "what it becomes")
    private static let percent = Option("to", .measure(.relativeHumidity, 0...100), "what it becomes")
    private static let hectopascals = Option("to", .measure(.hectopascals, 100...1300), "what it becomes")

    static let model = PartModel(
        driver: BME280.driver.name,
        stimuli: [
            CommandDescription("temperature", "it gets warmer or colder", arguments: [celsius.description]),
            CommandDescription("humidity", "the air gets moister or drier", arguments: [percent.description]),
            CommandDescription("pressure", "the air's pressure changes", arguments: [hectopascals.description]),
            CommandDescription("power-loss", "its power fails for a moment"),
        ]
    ) { wiring in
        let chip = BME280Model(clock: wiring.board.loop)
        try wiring.board.i2cBus(wiring.options[BME280.bus]).attach(chip, at: wiring.options[BME280.address])
        return BME280Part(chip: chip)
    }

    let chip: BME280Model

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "temperature": chip.climate.celsius = try stimulus.arguments[Self.celsius]
        case "humidity": chip.climate.relativeHumidity = try stimulus.arguments[Self.percent]
        case "pressure": chip.climate.hectopascals = try stimulus.arguments[Self.hectopascals]
        case "power-loss": chip.powerOn()
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }
}
