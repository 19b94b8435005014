public import DeviceKit
import DeviceRuntime
public import Peripherals

/// An SHT31, or its relatives SHT30 and SHT35, for temperature and humidity.
public actor SHT31: Device {
    private let context: DeviceContext
    private let bus: String
    private let address: I2CAddress
    private let interval: Duration
    private let repeatability: SHT31Chip.Repeatability
    private let stretchesClock: Bool
    private var reporter: ReadingReporter
    private var schedule: ReadingSchedule?
    /// For how long the heater is to be on, before the next reading.
    private var heating: Duration?

    /// What the chip is made for (page 1).
    private static let celsiusRange = -40.0...125.0
    /// How long it takes to be as warm as the air again.
    private static let cooling: Duration = .seconds(60)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        bus = try options[Self.bus]
        address = try options[Self.address]
        interval = try options[ReadingOptions.every]
        repeatability = try options[Self.repeatability]
        stretchesClock = try options[Self.stretching]
        let changes = [try options[Self.temperatureChange], try options[Self.humidityChange]]
        reporter = ReadingReporter(
            Self.fields, ReadingFilter(changes: changes, atLeastEvery: try options[ReadingOptions.atLeastEvery]),
            context)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let device = try await context.board.makeI2CDevice(
            bus: bus, address: address, I2CConfiguration(retries: I2CRetryPolicy(attempts: 3)), consumer: context.name)
        defer { device.close() }
        let chip = try await SHT31Chip(on: device, clock: context.clock)
        let schedule = ReadingSchedule(every: interval, clock: context.clock)
        self.schedule = schedule
        defer { self.schedule = nil }
        ready()
        while true {
            let isAsked = try await schedule.next()
            try await heat(chip)
            let (celsius, humidity) = try await chip.measure(repeatability, stretchingClock: stretchesClock)
            let isTrue = Self.celsiusRange.contains(celsius)
            reporter.report(
                isTrue ? [celsius, humidity] : [nil, nil], problem: isTrue ? nil : "a temperature of \(celsius) °C",
                isAsked: isAsked)
        }
    }

    public func perform(_ command: Command) async throws {
        switch command.name {
        case ReadingOptions.read.name: break
        case "heat": heating = try command.arguments[Self.duration]
        default: throw DeviceError.unknownCommand(command.name)
        }
        guard let schedule else { throw DeviceError.notReady(context.name) }
        schedule.ask()
    }

    /// Heats, if that is wanted. There is no reading before the chip has cooled, since it would not be the air's.
    private func heat(_ chip: SHT31Chip) async throws {
        while let duration = heating {
            heating = nil
            context.setState("heating", true)
            defer { context.setState("heating", false) }
            try await chip.setHeater(true)
            do { try await context.clock.sleep(for: duration) } catch {
                // Stopped: it is not left hot. If this fails, the reset of the next start switches it off.
                try? await chip.setHeater(false)
                throw error
            }
            try await chip.setHeater(false)
            try await context.clock.sleep(for: Self.cooling)
        }
    }
}

extension SHT31 {
    public static let bus = Option("bus", .i2cBus, default: "I2C1", "the I2C bus")
    public static let address = Option(
        "address", .i2cAddress, default: "0x44", "0x44, or 0x45 with ADDR connected to the supply")
    static let temperatureChange = Option(
        "temperature-change", .measure(.celsius, 0...50), default: "0°C", "how much is worth telling; 0 does not count")
    static let humidityChange = Option(
        "humidity-change", .measure(.relativeHumidity, 0...100), default: "0%",
        "how much is worth telling; 0 does not count")
    static let repeatability = Option(
        "repeatability",
        .choice(["low": SHT31Chip.Repeatability.low, "medium": .medium, "high": .high]), default: "high",
        "how carefully it measures; high takes 16 ms")
    static let stretching = Option(
        "clock-stretching", .flag, default: "no",
        "whether it holds the bus until it has measured; a Raspberry Pi up to 3 cannot be relied on to wait")
    static let duration = Option(
        "for", .duration(.seconds(1)...(.seconds(600))), default: "10s", "how long it heats")

    private static let fields = [
        FieldDescription("temperature", .number, unit: .celsius, "of the chip"),
        FieldDescription("humidity", .number, unit: .relativeHumidity, "of the air at the chip's temperature"),
    ]

    public static let driver = Driver(
        name: "sht31",
        summary: "an SHT30, SHT31 or SHT35 for temperature and humidity",
        options: [
            bus.description, address.description, ReadingOptions.every.description, temperatureChange.description,
            humidityChange.description, ReadingOptions.atLeastEvery.description, repeatability.description,
            stretching.description,
        ],
        events: ReadingReporter.events(fields),
        states: [
            ReadingReporter.state, StateDescription("heating", "its heater is on, or it cools down; it is not read"),
        ],
        commands: [
            ReadingOptions.read,
            CommandDescription(
                "heat", "dries it with its heater, and reads it when it has cooled", arguments: [duration.description]),
        ],
        claims: { [Driver.Claim("address", "\(try $0[bus]) \(try $0[address])")] },
        makeDevice: { try SHT31($0, $1) })
}
