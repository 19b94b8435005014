import DeviceRuntime
import Glibc
import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("Sensors of the kernel")
struct SysfsSensorTests {
    /// A sysfs with two LM75 on I2C, the processor's temperature, a DHT22, and a 1-Wire bus with a DS18B20 and a memory.
    private func makeSysfs() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        func add(_ path: String, _ files: [String: String]) throws {
            try folder.makeDirectory(path)
            for (name, text) in files { try folder.write(text, to: "\(path)/\(name)") }
        }
        for (number, device) in ["1-0048", "1-0049"].enumerated() {
            try add("class/hwmon/hwmon\(number)", ["name": "lm75\n", "temp1_input": "2\(number)500\n"])
            try #require(symlink("../../../\(device)", "\(folder.path)/class/hwmon/hwmon\(number)/device") == 0)
        }
        try add("class/hwmon/hwmon2", ["name": "cpu_thermal\n", "temp1_input": "48312\n"])
        try add("devices/platform/dht11@4/iio:device0", ["name": "dht11@4\n", "in_temp_input": "21400\n"])
        try folder.makeDirectory("bus/iio/devices")
        try #require(
            symlink(
                "../../../devices/platform/dht11@4/iio:device0", "\(folder.path)/bus/iio/devices/iio:device0") == 0)
        try add("bus/w1/devices/28-0316a2794aff", ["w1_slave": "72 01 : crc=57 YES\n72 01 t=23125\n"])
        try add("bus/w1/devices/w1_bus_master1", ["w1_master_name": "w1_bus_master1\n"])
        return folder
    }

    private func read(
        _ name: KernelSensorName, _ attribute: String, sysfs: String
    ) async throws -> String {
        try await EventLoop.run(time: .virtual) { loop in
            let board = LinuxBoard(.generic, loop: loop, sysfs: sysfs)
            return try await board.makeKernelSensor(name, consumer: "test").read(attribute)
        }
    }

    @Test(
        "A sensor is found by its name, with its device where there are several, whatever its number",
        arguments: [
            (KernelSensorName(.hwmon, "cpu_thermal"), "temp1_input", "48312"),
            (KernelSensorName(.hwmon, "lm75@1-0048"), "temp1_input", "20500"),
            (KernelSensorName(.hwmon, "lm75@1-0049"), "temp1_input", "21500"),
            (KernelSensorName(.iio, "dht11@4"), "in_temp_input", "21400"),
            (KernelSensorName(.iio, "dht11@4@dht11@4"), "in_temp_input", "21400"),
            (KernelSensorName(.w1, "28-0316a2794aff"), "w1_slave", "72 01 : crc=57 YES\n72 01 t=23125"),
        ])
    func found(name: KernelSensorName, attribute: String, text: String) async throws {
        let sysfs = try makeSysfs()
        #expect(try await read(name, attribute, sysfs: sysfs.path) == text)
    }

    @Test(
        "One that is not there, or not the only one, is told with what there is",
        arguments: [
            (KernelSensorName(.hwmon, "lm75"), PeripheralError.Code.invalidArgument, "lm75@1-0048, lm75@1-0049"),
            (KernelSensorName(.hwmon, "ina219"), .notFound, "there is lm75@1-0048, lm75@1-0049, cpu_thermal"),
            (KernelSensorName(.iio, "bme280"), .notFound, "there is dht11@4@dht11@4"),
            (KernelSensorName(.w1, "28-000000000000"), .notFound, "there is 28-0316a2794aff"),
            (KernelSensorName(.w1, "w1_bus_master1"), .notFound, "there is 28-0316a2794aff"),
        ])
    func notFound(name: KernelSensorName, code: PeripheralError.Code, words: String) async throws {
        let sysfs = try makeSysfs()
        let error = try await failure { _ = try await read(name, "x", sysfs: sysfs.path) }
        #expect(error.code == code)
        #expect(error.description.contains(words), "\(error)")
    }

    @Test("A system without such sensors says so")
    func none() async throws {
        let folder = try TemporaryDirectory()
        for sensorClass in KernelSensorClass.allCases {
            let error = try await failure {
                _ = try await read(KernelSensorName(sensorClass, "x"), "x", sysfs: folder.path)
            }
            #expect(error.code == .notFound)
            #expect(error.description.contains("there is none"))
        }
    }

    @Test(
        "What it can tell is listed; what it cannot, and what leads elsewhere, is not found; after closing nothing is")
    func attributes() async throws {
        let sysfs = try makeSysfs()
        let path = sysfs.path
        try await EventLoop.run(time: .virtual) { loop in
            let board = LinuxBoard(.generic, loop: loop, sysfs: path)
            let sensor = try await board.makeKernelSensor(KernelSensorName(.hwmon, "cpu_thermal"), consumer: "test")
            #expect(try await sensor.attributes().sorted() == ["name", "temp1_input"])
            for wrong in ["temp2_input", "../hwmon0/name", "/etc/hostname"] {
                #expect(try await failure { _ = try await sensor.read(wrong) }.code == .notFound)
            }
            try Files.removeTree("\(path)/class/hwmon/hwmon2")
            #expect(try await failure { _ = try await sensor.read("temp1_input") }.code == .notFound)
            #expect(try await failure { _ = try await sensor.attributes() }.code == .notFound)
            sensor.close()
            sensor.close()
            #expect(try await failure { _ = try await sensor.read("temp1_input") }.code == .closed)
        }
    }
}
