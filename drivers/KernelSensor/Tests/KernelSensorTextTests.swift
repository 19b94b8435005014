import Peripherals
import Testing

@testable import KernelSensorDriver

@Suite("What the kernel writes of a sensor")
struct KernelSensorTextTests {
    @Test(
        "Which sensor is meant, and in which unit it is read",
        arguments: [
            ("hwmon:cpu_thermal/temp1", "hwmon:cpu_thermal", "temp1", KernelQuantity.temperature, 0.001),
            ("hwmon:lm75@1-0048/temp1", "hwmon:lm75@1-0048", "temp1", .temperature, 0.001),
            ("hwmon:ina219/curr1", "hwmon:ina219", "curr1", .current, 0.001),
            ("hwmon:ina219/in1", "hwmon:ina219", "in1", .voltage, 0.001),
            ("hwmon:ina219/power1", "hwmon:ina219", "power1", .power, 0.000_001),
            ("hwmon:sht3x/humidity1", "hwmon:sht3x", "humidity1", .humidity, 0.001),
            ("hwmon:pwmfan/fan1", "hwmon:pwmfan", "fan1", .rotation, 1),
            ("iio:dht11@0/humidityrelative", "iio:dht11@0", "humidityrelative", .humidity, 0.001),
            ("iio:bmp280/pressure", "iio:bmp280", "pressure", .pressure, 10),
            ("iio:ads1015/voltage0", "iio:ads1015", "voltage0", .voltage, 0.001),
            ("iio:bh1750/illuminance", "iio:bh1750", "illuminance", .illuminance, 1),
            ("iio:ccs811/concentration_co2", "iio:ccs811", "concentration_co2", .other, 1),
            ("w1:28-0316a2794aff", "w1:28-0316a2794aff", "", .temperature, 0.001),
        ])
    func source(text: String, sensor: String, channel: String, quantity: KernelQuantity, factor: Double) throws {
        let source = try #require(KernelSensorSource(text))
        #expect(source.sensor.description == sensor)
        #expect(source.channel == channel)
        #expect(source.quantity == quantity)
        #expect(source.factor == factor)
    }

    @Test(
        "What is written otherwise is refused, and what leads out of the folder",
        arguments: [
            "", "hwmon", "hwmon:", "hwmon:cpu_thermal", "hwmon:cpu_thermal/", "hwmon:cpu_thermal/temp",
            "hwmon:cpu_thermal/wind1", "hwmon:/temp1", "hwmon:a/b/temp1", "hwmon:../temp1", "hwmon:a/../b", "iio:a",
            "w1:28-1/temp", "w1:", "spi:a/temp1", "hwmon:a b/temp1", "hwmon:é/temp1", "iio:.hidden/temp",
        ])
    func refused(text: String) { #expect(KernelSensorSource(text) == nil) }

    @Test(
        "Of a 1-Wire sensor the temperature is believed only with a right check byte",
        arguments: [
            ("72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=23125", 23125),
            ("50 ff 4b 46 7f ff 0c 10 9c : crc=9c YES\n50 ff 4b 46 7f ff 0c 10 9c t=-11000", -11000),
            ("00 00 4b 46 7f ff 0c 10 d9 : crc=d9 YES\n00 00 4b 46 7f ff 0c 10 d9 t=0", 0),
            ("72 01 4b 46 7f ff 0e 10 57 : crc=58 NO\n72 01 4b 46 7f ff 0e 10 57 t=23125", nil),
            ("ff ff ff ff ff ff ff ff ff : crc=c9 NO\nff ff ff ff ff ff ff ff ff t=-62", nil),
            ("00 00 00 00 00 00 00 00 00 : crc=00 YES\n00 00 00 00 00 00 00 00 00 t=0", nil),
            ("72 01 4b 46 7f ff 0e 10 57 : crc=57 YES", nil), ("", nil), ("YES\nt=", nil), ("YES\nt=1.5", nil),
            ("72 : crc=57 YES\n72 t=9999999999999999999999", nil),
        ] as [(String, Int?)])
    func oneWire(text: String, expected: Int?) {
        #expect(W1Text.read(text) == (expected.map { .millicelsius($0) } ?? .damaged))
    }

    @Test(
        "85 °C is believed if it was nearly as warm before",
        arguments: [
            ([21_000, 85_000, 21_062], [true, false, true]), ([85_000, 21_000], [false, true]),
            ([80_000, 85_000, 85_000, 84_937], [true, true, true, true]), ([74_000, 85_000], [true, false]),
            ([95_000, 85_000], [true, true]), ([21_000, 85_062, 85_000], [true, true, true]),
        ] as [([Double], [Bool])])
    func powerUp(temperatures: [Double], expected: [Bool]) {
        var filter = PowerUpFilter()
        var seen: [Bool] = []
        for temperature in temperatures { seen.append(filter.isTrue(temperature)) }
        #expect(seen == expected)
    }

    @Test(
        "An IIO sensor's files are those of the channel, or of its kind",
        arguments: [
            ("temp", ["in_temp_input", "in_temp_raw"], IIOAttributes(value: "in_temp_input", isProcessed: true)),
            ("temp", ["in_temp_raw"], IIOAttributes(value: "in_temp_raw", isProcessed: false)),
            (
                "voltage0", ["in_voltage0_raw", "in_voltage_scale", "in_voltage1_raw"],
                IIOAttributes(value: "in_voltage0_raw", isProcessed: false, scale: "in_voltage_scale")
            ),
            (
                "voltage1", ["in_voltage1_raw", "in_voltage_scale", "in_voltage1_scale", "in_voltage1_offset"],
                IIOAttributes(
                    value: "in_voltage1_raw", isProcessed: false, offset: "in_voltage1_offset",
                    scale: "in_voltage1_scale")
            ),
        ])
    func attributes(channel: String, files: [String], expected: IIOAttributes) throws {
        let source = try #require(KernelSensorSource("iio:some/\(channel)"))
        #expect(try IIOAttributes.needed(for: source, among: files) == expected)
    }

    @Test("A channel that an IIO sensor does not have is told with those that it has")
    func noChannel() throws {
        let source = try #require(KernelSensorSource("iio:bme280/wind"))
        let files = ["name", "in_temp_input", "in_pressure_input", "in_voltage0_raw", "in_voltage_scale", "in_oops"]
        #expect {
            try IIOAttributes.needed(for: source, among: files)
        } throws: { error in
            (error as? PeripheralError)?.description.contains("it has pressure, temp, voltage0") == true
        }
    }
}
