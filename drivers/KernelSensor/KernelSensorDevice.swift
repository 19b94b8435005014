public import DeviceKit
import DeviceRuntime
import Peripherals

/// A sensor that a driver of the kernel reads: the processor's own temperature, a DS18B20 on 1-Wire, a DHT22, an INA219,
/// and whatever else there is in hwmon and IIO.
public actor KernelSensorDevice: Device {
    private let context: DeviceContext
    private let source: KernelSensorSource
    private let interval: Duration
    private let range: ClosedRange<Double>
    private var powerUp = PowerUpFilter()
    private var reporter: ReadingReporter
    private var schedule: ReadingSchedule?

    /// What a DS18B20 is made for (page 1).
    private static let w1Range = -55.0...125.0
    /// Sensors of which single readings fail, such as a DHT22, are asked again.
    private static let attempts = 3

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        source = try options[Self.sensor]
        interval = try options[ReadingOptions.every]
        let limits = try options[Self.range]
        range = min(limits[0], limits[1])...max(limits[0], limits[1])
        reporter = ReadingReporter(
            [source.quantity.field],
            ReadingFilter(changes: [try options[Self.change]], atLeastEvery: try options[ReadingOptions.atLeastEvery]),
            context)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let sensor = try await context.board.makeKernelSensor(source.sensor, consumer: context.name)
        defer { sensor.close() }
        let attributes = try IIOAttributes.needed(for: source, among: try await sensor.attributes())
        let schedule = ReadingSchedule(every: interval, clock: context.clock)
        self.schedule = schedule
        defer { self.schedule = nil }
        ready()
        while true {
            let isAsked = try await schedule.next()
            let (value, problem) = try await measure(sensor, attributes)
            reporter.report([value], problem: problem, isAsked: isAsked)
        }
    }

    public func perform(_ command: Command) async throws {
        guard command.name == ReadingOptions.read.name else { throw DeviceError.unknownCommand(command.name) }
        guard let schedule else { throw DeviceError.notReady(context.name) }
        schedule.ask()
    }

    /// A value that can be true, or why there is none.
    private func measure(
        _ sensor: any KernelSensor, _ attributes: IIOAttributes?
    ) async throws -> (value: Double?, problem: String?) {
        var attempt = 0
        while true {
            attempt += 1
            do {
                let number = try await number(sensor, attributes)
                if source.sensor.sensorClass == .w1, !powerUp.isTrue(number) {
                    // A second measurement is a true one, unless it loses its power again.
                    if attempt < Self.attempts { continue }
                    return (nil, "85 °C, which it has after power-on: its supply is too weak")
                }
                let value = (number * source.factor * 1e6).rounded() / 1e6
                let limits = source.sensor.sensorClass == .w1 ? range.clamped(to: Self.w1Range) : range
                return limits.contains(value) ? (value, nil) : (nil, "\(value)")
            } catch let error as PeripheralError where error.code == .io || error.code == .corrupted {
                if attempt >= Self.attempts { throw error }
            }
        }
    }

    /// In the kernel's unit.
    private func number(_ sensor: any KernelSensor, _ attributes: IIOAttributes?) async throws -> Double {
        switch source.sensor.sensorClass {
        case .hwmon: return try await number("\(source.channel)_input", of: sensor)
        case .w1:
            guard case .millicelsius(let number) = W1Text.read(try await sensor.read("w1_slave")) else {
                throw PeripheralError(
                    .corrupted, "\(source.sensor): what it sent is damaged",
                    advice: "check its wires and the pull-up resistor of 4.7 kΩ")
            }
            return Double(number)
        case .iio:
            guard let attributes else { return .nan }
            let raw = try await number(attributes.value, of: sensor)
            guard !attributes.isProcessed else { return raw }
            var offset = 0.0
            var scale = 1.0
            if let name = attributes.offset { offset = try await number(name, of: sensor) }
            if let name = attributes.scale { scale = try await number(name, of: sensor) }
            return (raw + offset) * scale
        }
    }

    private func number(_ attribute: String, of sensor: any KernelSensor) async throws -> Double {
        let text = try await sensor.read(attribute)
        guard let number = Double(text), number.isFinite else {
            throw PeripheralError(.io, "\(source.sensor): \(attribute) is '\(text.prefix(40))', which is no number")
        }
        return number
    }
}
