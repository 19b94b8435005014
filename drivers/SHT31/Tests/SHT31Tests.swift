import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import SHT31Driver

@Suite("SHT31")
struct SHT31Tests {
    static let address = I2CAddress(0x44)

    /// Runs the driver with a chip at 0x44; `body` gets the chip's model.
    static func withChip<Value: Sendable>(
        _ options: [String: String] = [:], prepare: @escaping @Sendable (SHT31Model) -> Void = { _ in },
        _ body: @escaping @Sendable (DriverHarness, SHT31Model) async throws -> Value
    ) async throws -> Value {
        let chip = Protected<SHT31Model?>(nil)
        return try await DriverHarness.run(
            SHT31.driver, options.mapValues { .scalar($0) },
            prepare: { harness in
                let model = SHT31Model(clock: harness.loop)
                prepare(model)
                chip.withLock { $0 = model }
                try harness.board.i2cBus("I2C1").attach(model, at: try #require(address))
            }
        ) { try await body($0, try #require(chip.withLock { $0 })) }
    }

    static func values(_ event: Event?) -> [Double] {
        (event?.fields ?? []).compactMap { if case .number(let number) = $0.value { number } else { nil } }
    }

    @Test(
        "The check byte is that of the datasheet's example, and of another one",
        arguments: [([0xBE, 0xEF], 0x92), ([0x00, 0x00], 0x81), ([0xFF, 0xFF], 0xAC)] as [([UInt8], UInt8)])
    func checksum(bytes: [UInt8], expected: UInt8) {
        #expect(SHT31Data.checksum(bytes) == expected)
        #expect(SHT31Data.words(bytes + [expected]) == [UInt16(bytes[0]) << 8 | UInt16(bytes[1])])
    }

    @Test("No damage of one bit passes the check")
    func damage() {
        for bit in 0..<24 {
            var bytes: [UInt8] = [0xBE, 0xEF, 0x92]
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(SHT31Data.words(bytes) == nil)
        }
        #expect(SHT31Data.words([0xBE, 0xEF]) == nil)
    }

    @Test(
        "Numbers become quantities by the datasheet's formulas",
        arguments: [(0x0000, -45, 0), (0xFFFF, 130, 100), (0x6666, 25, 40)] as [(UInt16, Double, Double)])
    func conversion(word: UInt16, celsius: Double, humidity: Double) {
        #expect(SHT31Data.celsius(word) == celsius)
        #expect(SHT31Data.relativeHumidity(word) == humidity)
    }

    @Test(
        "The climate around it is what is read, in each way of measuring", arguments: ["low", "medium", "high"],
        ["no", "yes"])
    func readings(repeatability: String, stretching: String) async throws {
        let options = ["repeatability": repeatability, "clock-stretching": stretching]
        for climate in [[21.0, 45], [-39.5, 0], [124.5, 100], [0, 33.3]] {
            let event = try await Self.withChip(
                options,
                prepare: { chip in
                    chip.climate.celsius = climate[0]
                    chip.climate.relativeHumidity = climate[1]
                }
            ) { harness, _ in
                try await harness.loop.sleep(for: .seconds(1))
                return harness.events.first
            }
            #expect(event?.name == "reading")
            #expect(zip(Self.values(event), climate).allSatisfy { abs($0 - $1) < 0.02 })
        }
    }

    @Test("A damaged answer is asked for again, and told to nobody")
    func damagedOnce() async throws {
        try await Self.withChip(["every": "1s"]) { harness, chip in
            try await harness.loop.sleep(until: .milliseconds(500))
            chip.damageAnswers(1)
            try await harness.loop.sleep(until: .milliseconds(5500))
            #expect(harness.events.count == 6)
            #expect(harness.events.allSatisfy { abs(Self.values($0)[0] - 21) < 0.02 })
        }
    }

    @Test("An answer that stays damaged ends the driver with an error")
    func damagedAlways() async throws {
        await #expect {
            try await Self.withChip(["every": "1s"]) { harness, chip in
                chip.damageAnswers(1000)
                try await harness.loop.sleep(for: .seconds(5))
            }
        } throws: { ($0 as? PeripheralError)?.code == .corrupted }
    }

    @Test("A temperature that the chip cannot measure is told once, and not as a reading")
    func implausible() async throws {
        try await Self.withChip(["every": "1s"], prepare: { $0.climate.celsius = -44 }) { harness, _ in
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames == ["doubtful"])
            #expect(harness.state("doubtful") == true)
            #expect(harness.fault == "it gave a temperature of -44.0 °C")
        }
    }

    @Test("While it heats and cools it is not read; then it is, at once")
    func heating() async throws {
        try await Self.withChip(["every": "10s"]) { harness, chip in
            try await harness.loop.sleep(until: .seconds(5))
            try await harness.perform(SHT31.driver, "heat", ["for": .scalar("30s")])
            try await harness.loop.sleep(until: .seconds(20))
            #expect(chip.isHeating)
            #expect(harness.state("heating") == true)
            try await harness.loop.sleep(until: .seconds(36))
            #expect(!chip.isHeating)
            try await harness.loop.sleep(until: .seconds(97))
            #expect(harness.state("heating") == false)
            #expect(harness.events.count == 2)
            #expect(harness.events.allSatisfy { abs(Self.values($0)[0] - 21) < 0.02 })
        }
    }

    @Test("A stop while it heats switches the heater off")
    func stop() async throws {
        let chip = try await Self.withChip { harness, chip in
            try await harness.perform(SHT31.driver, "heat", ["for": .scalar("10min")])
            try await harness.loop.sleep(for: .seconds(5))
            #expect(chip.isHeating)
            return chip
        }
        #expect(!chip.isHeating)
    }

    @Test("A heater that a crash left on is switched off at the start")
    func afterCrash() async throws {
        try await Self.withChip(prepare: { try? $0.write([0x30, 0x6D]) }) { harness, chip in
            try await harness.loop.sleep(for: .seconds(1))
            #expect(!chip.isHeating)
        }
    }

    @Test(
        "Another part at its address is an error that names it, whatever its registers hold",
        arguments: [0, 0x55, 0xFF])
    func anotherPart(byte: UInt8) async throws {
        let part = RegistersModel()
        for register in 0...UInt8.max { part[register] = byte }
        await #expect {
            try await DriverHarness.run(
                SHT31.driver, prepare: { try $0.board.i2cBus("I2C1").attach(part, at: try #require(Self.address)) }
            ) { _ in }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .unsupported && error.description.contains("I2C1 0x44")
        }
    }
}
