import BME280Driver
import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("BME280")
struct BME280Tests {
    static let address = I2CAddress(0x76)

    /// Runs the driver with a chip at 0x76; `body` gets the chip's model.
    static func withChip<Value: Sendable>(
        _ kind: BME280Model.Kind = .bme280, _ options: [String: String] = [:],
        prepare: @escaping @Sendable (BME280Model) -> Void = { _ in },
        _ body: @escaping @Sendable (DriverHarness, BME280Model) async throws -> Value
    ) async throws -> Value {
        let chip = Protected<BME280Model?>(nil)
        return try await DriverHarness.run(
            BME280.driver, options.mapValues { .scalar($0) },
            prepare: { harness in
                let model = BME280Model(kind, clock: harness.loop)
                prepare(model)
                chip.withLock { $0 = model }
                try harness.board.i2cBus("I2C1").attach(model, at: try #require(address))
            }
        ) { try await body($0, try #require(chip.withLock { $0 })) }
    }

    /// Temperature, humidity and pressure.
    static func values(_ event: Event?) -> [Double] {
        (event?.fields ?? []).compactMap { if case .number(let number) = $0.value { number } else { nil } }
    }

    static func isClose(_ values: [Double], _ expected: [Double]) -> Bool {
        values.count == expected.count && zip(values, expected).allSatisfy { abs($0 - $1) <= 0.05 }
    }

    @Test(
        "The climate around the chip is what is read, over the whole range, at every oversampling",
        arguments: [
            [21.0, 45, 1013.25], [-39.9, 0, 300.5], [84.9, 99.5, 1099.5], [0, 50, 850], [-20, 80, 700],
            [37.5, 10, 990],
        ], ["1", "2", "4", "8", "16"])
    func readings(climate: [Double], oversampling: String) async throws {
        let event = try await Self.withChip(.bme280, ["oversampling": oversampling]) { harness, chip in
            chip.climate.celsius = climate[0]
            chip.climate.relativeHumidity = climate[1]
            chip.climate.hectopascals = climate[2]
            try await harness.loop.sleep(for: .seconds(2))
            return harness.events.first
        }
        #expect(event?.fields.map(\.name) == ["temperature", "humidity", "pressure"])
        #expect(Self.isClose(Self.values(event), climate), "\(Self.values(event))")
    }

    @Test("A reading comes at once, then every so often, however long a measurement takes")
    func schedule() async throws {
        try await Self.withChip(.bme280, ["every": "10s", "oversampling": "16"]) { harness, _ in
            try await harness.loop.sleep(until: .seconds(3601))
            #expect(harness.events.count == 361)
            let last = try #require(harness.events.last?.timestamp)
            #expect(last > .seconds(3600) && last < .milliseconds(3600_200))
        }
    }

    @Test("A BMP280 is recognised: its readings have no humidity, and it is asked for none")
    func withoutHumidity() async throws {
        try await Self.withChip(.bmp280) { harness, chip in
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.first?.fields.map(\.name) == ["temperature", "pressure"])
            #expect(Self.isClose(Self.values(harness.events.first), [21, 1013.25]))
            #expect(chip[0xF2] == 0)
            #expect(harness.state("doubtful") != true)
        }
    }

    @Test(
        "Another part at its address is an error that says which",
        arguments: [(UInt8(0x61), "BME680"), (0x00, "chip id 0x0"), (0xFF, "chip id 0xff"), (0x50, "chip id 0x50")])
    func anotherPart(identity: UInt8, words: String) async throws {
        await #expect {
            try await Self.withChip(prepare: { $0[0xD0] = identity }) { _, _ in }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .unsupported && error.description.contains("I2C1 0x76")
                && error.description.contains(words)
        }
    }

    @Test("A chip whose calibration is gone is an error, not a reading")
    func damagedMemory() async throws {
        await #expect {
            try await Self.withChip(prepare: { chip in for register in 0x88...0xA1 { chip[UInt8(register)] = 0xFF } }) {
                _, _ in
            }
        } throws: { ($0 as? PeripheralError)?.code == .corrupted }
    }

    @Test(
        "What cannot be true is told once, and not as a value",
        arguments: [
            ([130.0, 45, 1013], [String](), "°C"), ([-55, 45, 1013], [], "°C"),
            ([21, 45, 1250], ["temperature", "humidity"], "hPa"), ([21, 45, 200], ["temperature", "humidity"], "hPa"),
        ])
    func implausible(climate: [Double], rest: [String], words: String) async throws {
        try await Self.withChip(.bme280, ["every": "1s"]) { harness, chip in
            try await harness.loop.sleep(until: .milliseconds(500))
            let before = harness.events.count
            chip.climate.celsius = climate[0]
            chip.climate.hectopascals = climate[2]
            try await harness.loop.sleep(until: .milliseconds(10_500))
            let events = Dictionary(grouping: harness.events.dropFirst(before), by: \.name)
            let readings = events["reading"] ?? []
            #expect(readings.count == (rest.isEmpty ? 0 : 10))
            #expect(Set(readings.map { $0.fields.map(\.name) }) == (rest.isEmpty ? [] : [rest]))
            let doubtful = events["doubtful"] ?? []
            #expect(doubtful.count == 1)
            #expect(doubtful.first?.fields.first?.value.description.contains(words) == true)
            #expect(harness.state("doubtful") == true)
            chip.climate = BME280Model.Climate()
            try await harness.loop.sleep(until: .milliseconds(11_500))
            #expect(harness.state("doubtful") == false)
            #expect(harness.events.last?.fields.count == 3)
        }
    }

    @Test("A chip that lost its power for a moment is told anew how to measure")
    func powerLoss() async throws {
        try await Self.withChip(.bme280, ["every": "1s"]) { harness, chip in
            try await harness.loop.sleep(until: .milliseconds(5500))
            chip.powerOn()
            try await harness.loop.sleep(until: .milliseconds(10_500))
            #expect(harness.events.count == 11)
            #expect(harness.events.allSatisfy { $0.name == "reading" && $0.fields.count == 3 })
        }
    }

    @Test("Only what changed enough is told, a slow creep too, and something at least every hour")
    func changes() async throws {
        let options = ["every": "1min", "temperature-change": "0.5C", "at-least-every": "1h"]
        try await Self.withChip(.bme280, options) { harness, chip in
            try await harness.loop.sleep(until: .seconds(30))
            for minute in 1...30 {
                chip.climate.celsius = 21 + Double(minute) * 0.05
                chip.climate.hectopascals = 1013 - Double(minute)
                try await harness.loop.sleep(until: .seconds(30 + minute * 60))
            }
            let told = harness.events.map { Self.values($0)[0] }
            #expect(told == [21, 21.5, 22, 22.5])
            try await harness.loop.sleep(until: .seconds(30 + 150 * 60))
            #expect(harness.events.count == 6)
            try await harness.perform(BME280.driver, "read")
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.count == 7)
        }
    }

    @Test("A chip that is unplugged ends the driver with an error that names it")
    func unplugged() async throws {
        await #expect {
            try await Self.withChip(.bme280, ["every": "1s"]) { harness, _ in
                try await harness.loop.sleep(for: .seconds(5))
                try harness.board.i2cBus("I2C1").detach(try #require(Self.address))
                try await harness.loop.sleep(for: .seconds(5))
            }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .noAcknowledge && error.description.contains("I2C1 0x76")
        }
    }

    @Test("A chip that never ends its measurement is an error in time")
    func busy() async throws {
        let stuck = RegistersModel()
        for (register, byte) in zip(0x88..., BME280CalibrationTests.example) { stuck[UInt8(register)] = byte }
        stuck[0xD0] = 0x58
        await #expect {
            try await DriverHarness.run(
                BME280.driver, prepare: { try $0.board.i2cBus("I2C1").attach(stuck, at: try #require(Self.address)) }
            ) { harness in
                stuck[0xF3] = 0x08
                try await harness.perform(BME280.driver, "read")
                try await harness.loop.sleep(for: .seconds(1))
            }
        } throws: { ($0 as? PeripheralError)?.code == .timedOut }
    }
}
