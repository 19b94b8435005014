public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A TMP102 thermometer on an I2C bus (Texas Instruments SBOS397C; tables and sections are its).
public actor TMP102: Device {
    private let context: DeviceContext
    private let options: OptionValues
    private var schedule: ReadingSchedule?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) {
        self.context = context
        self.options = options
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let chip = try await context.board.makeI2CDevice(
            bus: options[Self.bus], address: options[Self.address], consumer: context.name)
        defer { chip.close() }
        let schedule = ReadingSchedule(every: try options[ReadingOptions.every], clock: context.clock)
        self.schedule = schedule
        defer { self.schedule = nil }
        // It sleeps between readings, which warms it least. A chip that is absent is noticed here.
        try await chip.writeWordRegister(Code.configuration, Code.asleep, .bigEndian)
        ready()
        while true {
            _ = try await schedule.next()
            context.emit("reading", [.init("temperature", .number(try await measure(chip)))])
        }
    }

    public func perform(_ command: Command) async throws {
        guard command.name == ReadingOptions.read.name else { throw DeviceError.unknownCommand(command.name) }
        guard let schedule else { throw DeviceError.notReady(context.name) }
        schedule.ask()
    }

    /// Lets it measure once, which takes 35 ms at most ("Electrical Characteristics").
    private func measure(_ chip: any I2CDevice) async throws -> Double {
        try await chip.writeWordRegister(Code.configuration, Code.oneShot, .bigEndian)
        try await context.clock.sleep(for: .milliseconds(35))
        return Self.celsius(try await chip.readWordRegister(Code.temperature, .bigEndian))
    }

    /// Twelve bits of a sixteenth of a degree each, on the left (table 5).
    static func celsius(_ word: UInt16) -> Double { Double(Int16(bitPattern: word) >> 4) / 16 }

    private enum Code {
        static let temperature: I2CRegister = 0x00
        static let configuration: I2CRegister = 0x01
        /// As after power-on (table 7), with the bit SD.
        static let asleep: UInt16 = 0x61A0
        /// With the bit OS as well ("One-Shot").
        static let oneShot: UInt16 = 0xE1A0
    }
}

extension TMP102 {
    public static let bus = Option("bus", .i2cBus, default: "I2C1", "the I2C bus")
    public static let address = Option("address", .i2cAddress, default: "0x48", "0x48 to 0x4b, by what ADD0 is tied to")

    public static let driver = Driver(
        name: "tmp102", summary: "a TMP102 thermometer",
        options: [bus.description, address.description, ReadingOptions.every.description],
        events: [
            EventDescription(
                "reading", "what it measured",
                fields: [FieldDescription("temperature", .number, unit: .celsius, "of the chip")], recordedAs: .reading)
        ],
        commands: [ReadingOptions.read],
        claims: { [Driver.Claim("address", "\(try $0[bus]) \(try $0[address])")] },
        makeDevice: { TMP102($0, $1) })
}
