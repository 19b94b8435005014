public import DeviceKit
import DeviceRuntime
import Peripherals

/// One input of an MCP3008 or MCP3004, which turn voltages into numbers (Microchip DS21295D; pages below are its).
public actor MCP3008: Device {
    private let context: DeviceContext
    private let target: String
    private let request: MCP3008Request
    private let samples: Int
    private let interval: Duration
    private let scale: MCP3008Scale
    private var reporter: ReadingReporter
    private var schedule: ReadingSchedule?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        target = try options[Self.target]
        request = MCP3008Request(channel: try options[Self.channel], isDifferential: try options[Self.differential])
        samples = try options[Self.samples]
        interval = try options[ReadingOptions.every]
        scale = MCP3008Scale(
            reference: try options[Self.reference], voltages: try options[Self.voltages],
            values: try options[Self.values])
        reporter = ReadingReporter(
            Self.fields,
            ReadingFilter(
                changes: [try options[Self.change], 0], atLeastEvery: try options[ReadingOptions.atLeastEvery]),
            context)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        // 1.35 MHz at most with a supply of 2.7 V (page 4). Its other inputs are devices too.
        let configuration = SPIConfiguration(maximumSpeed: .kilohertz(1000), sharedBy: Self.driver.name)
        let device = try await context.board.makeSPIDevice(target, configuration, consumer: context.name)
        defer { device.close() }
        // All samples in one transfer, each under a chip select of its own: that is what begins a conversion.
        let segments = (0..<samples).map { _ in SPISegment(.exchange(request.bytes), releasesSelect: true) }
        let schedule = ReadingSchedule(every: interval, clock: context.clock)
        self.schedule = schedule
        defer { self.schedule = nil }
        ready()
        while true {
            let isAsked = try await schedule.next()
            let numbers = try await device.transfer(segments).map { answer in
                guard let number = MCP3008Request.number(in: answer) else { throw absent }
                return number
            }
            let volts = scale.volts(of: numbers)
            reporter.report([scale.value(at: volts), volts], isAsked: isAsked)
        }
    }

    public func perform(_ command: Command) async throws {
        guard command.name == ReadingOptions.read.name else { throw DeviceError.unknownCommand(command.name) }
        guard let schedule else { throw DeviceError.notReady(context.name) }
        schedule.ask()
    }

    private var absent: PeripheralError {
        PeripheralError(
            .io, "\(target): no MCP3008 answers: the bit before its number is not zero",
            advice: "check its power, its wiring and the chip select")
    }
}

extension MCP3008 {
    public static let target = Option("target", .spiTarget, default: "SPI0.0", "the SPI target: bus and chip select")
    public static let channel = Option("channel", .integer(0...7), "the input, as in CH0 to CH7")
    static let differential = Option(
        "differential", .flag, default: "no",
        "whether the input is measured against its neighbour (CH0 and CH1, CH2 and CH3 …) instead of ground")
    public static let reference = Option(
        "reference", .measure(.volts, 0.25...5.5), default: "3.3V", "the voltage at VREF")
    static let voltages = Option(
        "voltages", .two(.measure(.volts, 0...5.5), "voltages", example: "[0V, 3.3V]"), default: "0V, 3.3V",
        "two voltages of which the values are known")
    static let values = Option(
        "values", .two(.number(-1e9...1e9), "numbers", example: "[0, 100]"), default: "0, 3.3",
        "the values that stand for those voltages")
    static let unit = Option("unit", .text, default: "V", "what the values are measured in")
    static let change = Option(
        "change", .number(0...1e9), default: "0", "how much of the value is worth telling; 0 tells every reading")
    static let samples = Option(
        "samples", .integer(1...128), default: "1", "how many measurements make one; more are quieter")

    private static let fields = [
        FieldDescription(
            "value", .number, unit: .option(unit.name), "what it measured, as `voltages` and `values` say"),
        FieldDescription("volts", .number, unit: .volts, "the voltage at the input"),
    ]

    public static let driver = Driver(
        name: "mcp3008",
        summary: "an analog input: one of an MCP3008's eight, or of an MCP3004's four",
        options: [
            target.description, channel.description, differential.description, reference.description,
            voltages.description, values.description, unit.description, ReadingOptions.every.description,
            change.description, ReadingOptions.atLeastEvery.description, samples.description,
        ],
        events: [EventDescription("reading", "what it measured", fields: fields, recordedAs: .reading)],
        commands: [ReadingOptions.read],
        claims: { options in
            let (target, channel) = (try options[target], try options[channel])
            return [
                Driver.Claim("target", target, sharedBy: "mcp3008"),
                Driver.Claim("channel", "CH\(channel) of \(target)"),
            ]
        },
        makeDevice: { try MCP3008($0, $1) })
}
