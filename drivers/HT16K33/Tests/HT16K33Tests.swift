import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SegmentGlyphs
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33")
struct HT16K33Tests {
    /// Runs the driver with a chip at 0x70; `body` gets the chip's model.
    static func withSign<Value: Sendable>(
        seed: UInt64 = 0, _ body: @escaping @Sendable (DriverHarness, HT16K33Model) async throws -> Value
    ) async throws -> Value {
        let address = try #require(I2CAddress(0x70))
        let chip = HT16K33Model(name: "sign", trace: nil, generator: SeededGenerator(seed: seed))
        return try await DriverHarness.run(
            HT16K33.driver, name: "sign", prepare: { try $0.board.i2cBus("I2C1").attach(chip, at: address) }
        ) { try await body($0, chip) }
    }

    @Test("Whatever is in the RAM at power-on, the glass is dark until told otherwise", arguments: 0..<20)
    func powerOn(seed: UInt64) async throws {
        try await Self.withSign(seed: seed) { _, chip in
            #expect(chip.text == "    ")
            #expect(chip.ram == [UInt8](repeating: 0, count: 16))
            #expect(chip.brightness == 16)
        }
    }

    @Test(
        "A text stands on the glass from the left, its points merged into the characters before them",
        arguments: [
            ("HEY!", "HEY!"), ("OK", "OK  "), ("", "    "), ("1.23", "1.23 "), ("1.2.3.4.", "1.2.3.4."), (".5", ".5  "),
            ("..", "..  "), ("a..b", "a..b "), ("...", "... "), ("é", "?   "), ("12:3", "12:3"),
        ])
    func show(text: String, glass: String) async throws {
        try await Self.withSign { harness, chip in
            try await harness.perform(HT16K33.driver, "show", ["text": .scalar(text)])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(chip.text == glass)
        }
    }

    @Test("Exactly one burst of eight bytes changes the text")
    func burst() async throws {
        try await Self.withSign { harness, chip in
            let before = harness.board.trace.entries.count
            try await harness.perform(HT16K33.driver, "show", ["text": .scalar("HI")])
            try await harness.loop.sleep(for: .seconds(1))
            let writes = harness.board.trace.entries.dropFirst(before).map(\.text)
            #expect(writes == ["0x70 write ef", "0x70 write 00 f6 00 09 12 00 00 00 00"])
        }
    }

    @Test("A long text moves through once, and a new one cuts in")
    func scrolling() async throws {
        try await Self.withSign { harness, chip in
            try await harness.perform(HT16K33.driver, "show", ["text": .scalar("HELLO YOU")])
            var seen: [String] = []
            for _ in 0..<8 {
                try await harness.loop.sleep(for: .milliseconds(299))
                seen.append(chip.text)
            }
            #expect(seen.prefix(3) == ["HELL", "ELLO", "LLO "])
            #expect(chip.text == " YOU")
            try await harness.perform(HT16K33.driver, "show", ["text": .scalar("HELLO YOU")])
            try await harness.loop.sleep(for: .milliseconds(100))
            try await harness.perform(HT16K33.driver, "show", ["text": .scalar("BYE")])
            try await harness.loop.sleep(for: .seconds(3))
            #expect(chip.text == "BYE ")
        }
    }

    @Test("Brightness 1 is one sixteenth", arguments: [1, 8, 16])
    func brightness(level: Int) async throws {
        try await Self.withSign { harness, chip in
            try await harness.perform(HT16K33.driver, "brightness", ["level": .scalar("\(level)")])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(chip.brightness == level)
        }
    }

    @Test("A chip that is absent is an error that names bus and address")
    func absent() async throws {
        await #expect {
            try await DriverHarness.run(HT16K33.driver) { _ in }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .noAcknowledge && error.description.contains("I2C1 0x70")
        }
    }

    @Test("Every printable character has a glyph, and reads back as itself or as a character that looks alike")
    func font() {
        let lookAlikes: [Character: Character] = ["[": "C", "|": ":"]
        for code in UInt8(0x20)...0x7E {
            let character = Character(UnicodeScalar(code))
            let read = FourteenSegment(character)?.character
            #expect(read?.character == lookAlikes[character] ?? character, "\(character)")
        }
    }
}
