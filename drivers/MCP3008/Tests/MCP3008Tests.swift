import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import MCP3008Driver

@Suite("MCP3008")
struct MCP3008Tests {
    @Test(
        "The request is the datasheet's three bytes",
        arguments: [
            (0, false, [0x01, 0x80, 0x00]), (1, false, [0x01, 0x90, 0x00]), (7, false, [0x01, 0xF0, 0x00]),
            (0, true, [0x01, 0x00, 0x00]), (5, true, [0x01, 0x50, 0x00]),
        ])
    func request(channel: Int, isDifferential: Bool, bytes: [UInt8]) {
        #expect(MCP3008Request(channel: channel, isDifferential: isDifferential).bytes == bytes)
    }

    @Test(
        "The number is the last ten bits, and only if a zero comes before it",
        arguments: [
            ([0x00, 0x00, 0x00], 0), ([0xFF, 0xFB, 0xFF], 1023), ([0x00, 0x02, 0x01], 513), ([0x00, 0x04, 0x00], nil),
            ([0xFF, 0xFF, 0xFF], nil), ([0x00, 0x00], nil), ([], nil),
        ] as [([UInt8], Int?)])
    func answer(bytes: [UInt8], number: Int?) { #expect(MCP3008Request.number(in: bytes) == number) }

    @Test(
        "A voltage stands for the value on the line through two known ones, and beyond them",
        arguments: [
            ([0.0, 3.3], [0.0, 100], [512], 50), ([2.8, 1.2], [0, 100], [0], 175),
            ([0, 1], [-50, 50], [232], 24.765625),
            ([0, 3.3], [0, 3.3], [1023], 3.296777), ([0, 3.3], [0, 100], [511, 512, 513, 512], 50),
        ] as [([Double], [Double], [Int], Double)])
    func scale(voltages: [Double], values: [Double], numbers: [Int], value: Double) {
        let scale = MCP3008Scale(reference: 3.3, voltages: voltages, values: values)
        #expect(abs(scale.value(at: scale.volts(of: numbers)) - value) < 0.0001)
    }

    /// Runs the driver with a chip at SPI0.0.
    static func withChip<Value: Sendable>(
        _ options: [String: OptionInput],
        _ body: @escaping @Sendable (DriverHarness, MCP3008Model) async throws -> Value
    ) async throws -> Value {
        let chip = MCP3008Model()
        return try await DriverHarness.run(
            MCP3008.driver, options, prepare: { try $0.board.spiTarget("SPI0.0").attach(chip) }
        ) { try await body($0, chip) }
    }

    @Test("Each input has its voltage", arguments: 0..<8)
    func inputs(channel: Int) async throws {
        try await Self.withChip(["channel": .scalar("\(channel)")]) { harness, chip in
            for input in 0..<8 { chip.setVoltage(Double(input) * 0.4 + 0.1, at: input) }
            try await harness.perform(MCP3008.driver, "read")
            try await harness.loop.sleep(for: .seconds(1))
            guard case .number(let volts) = harness.events.last?.fields.first?.value else {
                Issue.record("no value")
                return
            }
            #expect(abs(volts - (Double(channel) * 0.4 + 0.1)) <= 3.3 / 1024)
        }
    }

    @Test("An input is measured against its neighbour, if that is wanted")
    func differential() async throws {
        try await Self.withChip(["channel": .scalar("3"), "differential": .scalar("yes")]) { harness, chip in
            chip.setVoltage(2, at: 3)
            chip.setVoltage(0.5, at: 2)
            try await harness.perform(MCP3008.driver, "read")
            try await harness.loop.sleep(for: .seconds(1))
            guard case .number(let volts) = harness.events.last?.fields.first?.value else {
                Issue.record("no value")
                return
            }
            #expect(abs(volts - 1.5) <= 3.3 / 1024)
        }
    }

    @Test("A reading has the value in the person's unit, and the voltage")
    func fields() async throws {
        let options: [String: OptionInput] = [
            "channel": .scalar("0"), "values": .list(["0", "100"]), "unit": .scalar("%"), "samples": .scalar("16"),
        ]
        try await Self.withChip(options) { harness, chip in
            chip.setVoltage(1.65, at: 0)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.last?.fields == [.init("value", .number(50)), .init("volts", .number(1.65))])
            // One transfer of sixteen conversions, each under a chip select of its own.
            let selections = try harness.board.spiTarget("SPI0.0").selections
            #expect(selections == [[UInt8]](repeating: [0x01, 0x80, 0x00], count: 16))
        }
    }

    @Test("Only a change of the value that was told last is told")
    func changes() async throws {
        let options: [String: OptionInput] = [
            "channel": .scalar("0"), "every": .scalar("10ms"), "change": .scalar("0.5"),
        ]
        try await Self.withChip(options) { harness, chip in
            for step in 1...30 {
                try await harness.loop.sleep(for: .milliseconds(100))
                chip.setVoltage(Double(step) * 0.1, at: 0)
            }
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.count == 6)
        }
    }

    @Test("A chip that is absent is an error where the wire tells it")
    func absent() async throws {
        await #expect {
            try await DriverHarness.run(
                MCP3008.driver, ["channel": .scalar("0")],
                prepare: { try $0.board.spiTarget("SPI0.0").attach { bytes in bytes.map { _ in 0xFF } } }
            ) { try await $0.loop.sleep(for: .seconds(1)) }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .io && error.description.contains("SPI0.0")
        }
    }
}
