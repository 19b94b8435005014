public import DeviceKit
public import Peripherals

extension KernelSensorDevice {
    static let sensor = Option(
        "sensor",
        OptionKind<KernelSensorSource>(
            "a sensor of the kernel, such as hwmon:cpu_thermal/temp1, iio:bme280/temp or w1:28-0316a2794aff"
        ) { input in
            guard case .scalar(let text) = input else { return nil }
            return KernelSensorSource(text)
        }, "which sensor, and what of it: where the kernel lists it, its name there, and the quantity")
    static let range = Option(
        "range", .two(.number(-1e12...1e12), "numbers", example: "[-20, 60]"), default: "-1000000000000, 1000000000000",
        "what can be true; other values are told as doubtful")
    static let change = Option(
        "change", .number(0...1e12), default: "0", "how much is worth telling, in the reading's unit; 0 tells every one"
    )

    public static let driver = Driver(
        name: "kernel-sensor",
        summary: "a sensor that a driver of the kernel reads: 1-Wire (DS18B20), hwmon, IIO",
        options: [
            sensor.description, ReadingOptions.every.description, change.description,
            ReadingOptions.atLeastEvery.description, range.description,
        ],
        events: ReadingReporter.events(KernelQuantity.allCases.map(\.field)),
        states: [ReadingReporter.state],
        commands: [ReadingOptions.read],
        // Others may read it too.
        claims: { _ in [] },
        makeDevice: { try KernelSensorDevice($0, $1) })

    /// Which sensor of the kernel an option names, and what of it.
    public static func source(
        _ options: OptionValues
    ) throws -> (sensor: KernelSensorName, channel: String, factor: Double) {
        let source = try options[sensor]
        return (source.sensor, source.channel, source.factor)
    }
}
