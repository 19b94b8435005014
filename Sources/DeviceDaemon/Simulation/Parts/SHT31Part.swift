import DeviceKit
import SHT31Driver
import SimulatedPeripherals

/// An SHT31 on a device's bus.
struct SHT31Part: SimulatedPart {
    private static let celsius = Option("to", .measure(.celsius, -45...130), "what it becomes")
    private static let percent = Option("to", .measure(.relativeHumidity, 0...100), "what it becomes")
    private static let count = Option("count", .integer(1...1000), default: "1", "how many")

    static let model = PartModel(
        driver: SHT31.driver.name,
        stimuli: [
            CommandDescription("temperature", "it gets warmer or colder", arguments: [celsius.description]),
            CommandDescription("humidity", "the air gets moister or drier", arguments: [percent.description]),
            CommandDescription("damage", "answers are damaged on their way", arguments: [count.description]),
        ],
        observations: [ObservationDescription("heating", "whether its heater is on")]
    ) { wiring in
        let chip = SHT31Model(clock: wiring.board.loop)
        try wiring.board.i2cBus(wiring.options[SHT31.bus]).attach(chip, at: wiring.options[SHT31.address])
        return SHT31Part(chip: chip)
    }

    let chip: SHT31Model

    func apply(_ stimulus: Command) throws {
        switch stimulus.name {
        case "temperature": chip.climate.celsius = try stimulus.arguments[Self.celsius]
        case "humidity": chip.climate.relativeHumidity = try stimulus.arguments[Self.percent]
        case "damage": chip.damageAnswers(try stimulus.arguments[Self.count])
        default: throw DeviceError.unknownCommand(stimulus.name)
        }
    }

    func observe(_ name: String) -> Value? { name == "heating" ? .flag(chip.isHeating) : nil }
}
