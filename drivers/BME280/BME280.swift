public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A BME280 for temperature, humidity and pressure, or a BMP280, which has no humidity.
///
/// It sleeps, and measures once for each reading, so it does not warm itself.
public actor BME280: Device {
    private let context: DeviceContext
    private let bus: String
    private let address: I2CAddress
    private let interval: Duration
    private let oversampling: BME280Chip.Oversampling
    private var reporter: ReadingReporter
    private var schedule: ReadingSchedule?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        bus = try options[Self.bus]
        address = try options[Self.address]
        interval = try options[ReadingOptions.every]
        oversampling = try options[Self.oversampling]
        let changes = [
            try options[Self.temperatureChange], try options[Self.humidityChange], try options[Self.pressureChange],
        ]
        reporter = ReadingReporter(
            Self.fields, ReadingFilter(changes: changes, atLeastEvery: try options[ReadingOptions.atLeastEvery]),
            context)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let device = try await context.board.makeI2CDevice(
            bus: bus, address: address, I2CConfiguration(retries: I2CRetryPolicy(attempts: 3)), consumer: context.name)
        defer { device.close() }
        let chip = try await BME280Chip(on: device, clock: context.clock)
        let schedule = ReadingSchedule(every: interval, clock: context.clock)
        self.schedule = schedule
        defer { self.schedule = nil }
        ready()
        while true {
            let isAsked = try await schedule.next()
            let reading = try await chip.measure(oversampling)
            reporter.report(
                [reading.celsius, reading.relativeHumidity, reading.hectopascals], problem: reading.problem,
                isAsked: isAsked)
        }
    }

    public func perform(_ command: Command) async throws {
        guard command.name == ReadingOptions.read.name else { throw DeviceError.unknownCommand(command.name) }
        guard let schedule else { throw DeviceError.notReady(context.name) }
        schedule.ask()
    }
}

extension BME280 {
    public static let bus = Option("bus", .i2cBus, default: "I2C1", "the I2C bus")
    public static let address = Option(
        "address", .i2cAddress, default: "0x76", "0x76, or 0x77 with SDO connected to the supply")
    static let oversampling = Option(
        "oversampling",
        .choice(
            Dictionary(
                BME280Chip.Oversampling.allCases.map { ("\($0.times)", $0) }, uniquingKeysWith: { first, _ in first })),
        default: "1", "how many measurements make one; more are quieter, slower and warmer")
    static let temperatureChange = Option(
        "temperature-change", .measure(.celsius, 0...50), default: "0°C", "how much is worth telling; 0 does not count")
    static let humidityChange = Option(
        "humidity-change", .measure(.relativeHumidity, 0...100), default: "0%",
        "how much is worth telling; 0 does not count")
    static let pressureChange = Option(
        "pressure-change", .measure(.hectopascals, 0...500), default: "0hPa",
        "how much is worth telling; 0 does not count")

    private static let fields = [
        FieldDescription("temperature", .number, unit: .celsius, "of the chip, which its neighbours may warm"),
        FieldDescription("humidity", .number, unit: .relativeHumidity, "of the air; a BMP280 has none"),
        FieldDescription("pressure", .number, unit: .hectopascals, "of the air where it is, not reduced to sea level"),
    ]

    public static let driver = Driver(
        name: "bme280",
        summary: "a BME280 for temperature, humidity and pressure, or a BMP280 without humidity",
        options: [
            bus.description, address.description, ReadingOptions.every.description, temperatureChange.description,
            humidityChange.description, pressureChange.description, ReadingOptions.atLeastEvery.description,
            oversampling.description,
        ],
        events: ReadingReporter.events(fields),
        states: [ReadingReporter.state],
        commands: [ReadingOptions.read],
        claims: { [Driver.Claim("address", "\(try $0[bus]) \(try $0[address])")] },
        makeDevice: { try BME280($0, $1) })
}
