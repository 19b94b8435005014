import DeviceKit
import DeviceRuntime
import DriverTesting
import KernelSensorDriver
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Kernel sensor")
struct KernelSensorTests {
    /// Runs the driver with a sensor of that name, which is prepared before.
    static func with(
        _ sensor: KernelSensorName, _ options: [String: OptionInput],
        prepare: @escaping @Sendable (SimulatedKernelSensor) -> Void,
        _ body: @escaping @Sendable (DriverHarness, SimulatedKernelSensor) async throws -> Void
    ) async throws {
        try await DriverHarness.run(
            KernelSensorDevice.driver, options, prepare: { prepare($0.board.addKernelSensor(sensor)) }
        ) { try await body($0, $0.board.addKernelSensor(sensor)) }
    }

    static func reading(_ name: String, _ value: Double) -> [Event.Field] { [.init(name, .number(value))] }

    @Test(
        "What the kernel tells becomes a quantity in Perch's unit",
        arguments: [
            ("hwmon:cpu_thermal/temp1", ["temp1_input": "48312"], "temperature", 48.312),
            ("hwmon:ina219/in1", ["in1_input": "5012"], "voltage", 5.012),
            ("hwmon:ina219/curr1", ["curr1_input": "-250"], "current", -0.25),
            ("hwmon:ina219/power1", ["power1_input": "1253000"], "power", 1.253),
            ("hwmon:pwmfan/fan1", ["fan1_input": "2400"], "rotation", 2400),
            ("iio:dht11@0/temp", ["in_temp_input": "21400"], "temperature", 21.4),
            ("iio:bmp280/pressure", ["in_pressure_input": "101.325"], "pressure", 1013.25),
            (
                "iio:hdc1080/temp",
                ["in_temp_raw": "26214", "in_temp_offset": "-15887.515151", "in_temp_scale": "2.517700"], "temperature",
                25.998991
            ),
            ("iio:ads1015/voltage0", ["in_voltage0_raw": "825", "in_voltage_scale": "2.0"], "voltage", 1.65),
            (
                "iio:bh1750/illuminance", ["in_illuminance_raw": "120", "in_illuminance_scale": "0.833333"],
                "illuminance", 99.99996
            ),
            ("iio:ccs811/concentration_co2", ["in_concentration_co2_raw": "612"], "value", 612),
        ])
    func quantities(sensor: String, texts: [String: String], field: String, value: Double) async throws {
        let parts = sensor.split(separator: "/")[0].split(separator: ":")
        let name = KernelSensorName(try #require(KernelSensorClass(rawValue: String(parts[0]))), String(parts[1]))
        try await Self.with(name, ["sensor": .scalar(sensor)]) { sensor in
            for (attribute, text) in texts { sensor[attribute] = text }
        } _: { harness, _ in
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.first?.fields == Self.reading(field, value))
        }
    }

    static let water = KernelSensorName(.w1, "28-0316a2794aff")
    static let waterOptions: [String: OptionInput] = ["sensor": .scalar("w1:28-0316a2794aff"), "every": .scalar("10s")]

    @Test(
        "A DS18B20 is read over its whole range",
        arguments: [-55, -10.125, -0.5, 0, 0.0625, 21.5, 84.9375, 85.0625, 125])
    func thermometer(celsius: Double) async throws {
        try await Self.with(Self.water, Self.waterOptions) {
            DS18B20Model(on: $0).celsius = celsius
        } _: { harness, _ in
            try await harness.loop.sleep(for: .seconds(5))
            guard case .number(let value)? = harness.events.first?.fields.first?.value else {
                Issue.record("no reading")
                return
            }
            #expect(abs(value - celsius) < 0.001)
        }
    }

    @Test("85 °C after power-on is told once as doubtful, and not as a reading")
    func powerUp() async throws {
        try await Self.with(Self.water, Self.waterOptions) {
            _ = DS18B20Model(on: $0)
        } _: { harness, sensor in
            let model = DS18B20Model(on: sensor)
            try await harness.loop.sleep(until: .seconds(35))
            let before = harness.events.count
            model.condition = .losingPower
            try await harness.loop.sleep(until: .seconds(95))
            #expect(harness.eventNames.dropFirst(before) == ["doubtful"])
            #expect(harness.state("doubtful") == true)
            model.condition = .good
            try await harness.loop.sleep(until: .seconds(105))
            #expect(harness.state("doubtful") == false)
            #expect(harness.events.last?.fields == Self.reading("temperature", 21))
        }
    }

    @Test("Water that truly has 85 °C is believed when it was nearly as warm before")
    func truly85() async throws {
        try await Self.with(Self.water, Self.waterOptions) {
            _ = DS18B20Model(on: $0)
        } _: { harness, sensor in
            let model = DS18B20Model(on: sensor)
            for celsius in [70.0, 80, 85, 85, 90] {
                model.celsius = celsius
                try await harness.loop.sleep(for: .seconds(10))
            }
            #expect(harness.events.allSatisfy { $0.name == "reading" })
            #expect(harness.events.filter { $0.fields == Self.reading("temperature", 85) }.count == 2)
        }
    }

    @Test(
        "A wire that is cut or short ends the driver with an error, after three tries",
        arguments: [DS18B20Model.Condition.shortCircuited, .cut])
    func wire(condition: DS18B20Model.Condition) async throws {
        await #expect {
            try await Self.with(Self.water, Self.waterOptions) {
                _ = DS18B20Model(on: $0)
            } _: { harness, sensor in
                DS18B20Model(on: sensor).condition = condition
                try await harness.loop.sleep(for: .seconds(60))
            }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .corrupted && error.description.contains("w1:28-0316a2794aff")
        }
    }

    @Test("A reading that fails once or twice, as a DHT22's do, is tried again")
    func flaky() async throws {
        let name = KernelSensorName(.iio, "dht11@0")
        try await Self.with(name, ["sensor": .scalar("iio:dht11@0/temp"), "every": .scalar("10s")]) { sensor in
            sensor["in_temp_input"] = "21400"
            sensor.setReadingTime(.milliseconds(100))
        } _: { harness, sensor in
            try await harness.loop.sleep(until: .milliseconds(9950))
            sensor.setAnswering(false)
            try await harness.loop.sleep(until: .milliseconds(10_250))
            sensor.setAnswering(true)
            try await harness.loop.sleep(until: .seconds(35))
            #expect(harness.events.count == 4)
        }
    }

    @Test("A value that cannot be true is told once, and not as a reading")
    func range() async throws {
        let options: [String: OptionInput] = [
            "sensor": .scalar("hwmon:lm75/temp1"), "every": .scalar("1s"), "range": .list(["-20", "60"]),
        ]
        try await Self.with(KernelSensorName(.hwmon, "lm75"), options) {
            $0["temp1_input"] = "99000"
        } _: {
            harness, sensor in
            try await harness.loop.sleep(for: .seconds(10))
            #expect(harness.eventNames == ["doubtful"])
            sensor["temp1_input"] = "20000"
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["doubtful", "reading"])
        }
    }

    @Test("A sensor that is not there is told with those that are, and one that is unplugged is an error")
    func missing() async throws {
        let options: [String: OptionInput] = ["sensor": .scalar("hwmon:lm75/temp1"), "every": .scalar("1s")]
        await #expect {
            try await DriverHarness.run(
                KernelSensorDevice.driver, options,
                prepare: { $0.board.addKernelSensor(KernelSensorName(.hwmon, "cpu_thermal")) }
            ) { _ in }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .notFound && error.description.contains("there is cpu_thermal")
        }
        await #expect {
            try await Self.with(KernelSensorName(.hwmon, "lm75"), options) {
                $0["temp1_input"] = "20000"
            } _: {
                harness, _ in
                try await harness.loop.sleep(for: .seconds(5))
                harness.board.removeKernelSensor(KernelSensorName(.hwmon, "lm75"))
                try await harness.loop.sleep(for: .seconds(5))
            }
        } throws: { ($0 as? PeripheralError)?.code == .notFound }
    }
}
