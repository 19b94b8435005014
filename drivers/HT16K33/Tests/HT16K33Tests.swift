import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33")
struct HT16K33Tests {
    @Test("Adafruit_LED_Backpack#20: whatever is in the RAM at power-on is never seen", arguments: 0..<20)
    func powerOn(seed: UInt64) async throws {
        for layout in Sign.layoutNames {
            try await Sign.run(layout, chips: 2, seed: seed) { sign in
                #expect(sign.display.litCount == 0)
                #expect(
                    sign.display.chips.map(\.ram) == [[UInt8]](repeating: [UInt8](repeating: 0, count: 16), count: 2))
                #expect(sign.display.brightness == 16)
                // Not even for the time between two writes: the glass never told of anything.
                #expect(sign.glassEntries == [])
            }
        }
    }

    @Test("A text costs one burst from the first byte that changes to the last")
    func burst() async throws {
        try await Sign.run { sign in
            let table: [(String, [String: OptionInput], [String])] = [
                ("show", ["text": .scalar("HI")], ["0x70 write 00 f6 00 09 12"]),
                // H stays: one digit.
                ("show", ["text": .scalar("HC")], ["0x70 write 02 39 00"]),
                ("show", ["text": .scalar("HC")], []),
                ("brightness", ["level": .scalar("16")], []),
                // The last byte is blank already.
                ("clear", [:], ["0x70 write 00 00 00 00"]),
            ]
            for (name, arguments, expected) in table {
                let writes = try await sign.writes(of: name, arguments)
                #expect(writes == expected)
            }
        }
    }

    @Test("Of several chips only those are written to that change")
    func chips() async throws {
        try await Sign.run("7-segment", chips: 3) { sign in
            try await sign.show("123456789012")
            let writes = try await sign.writes(of: "show", ["text": .scalar("123456789013")])
            #expect(writes == ["0x72 write 08 4f"])
            #expect(sign.display.text == "123456789013")
        }
    }

    @Test("Brightness goes from dark to full and back, and what is shown comes back with it", arguments: 0...16)
    func brightness(level: Int) async throws {
        try await Sign.run { sign in
            try await sign.show("HI")
            try await sign.perform("brightness", ["level": .scalar("\(level)")])
            #expect(sign.display.brightness == level)
            #expect(sign.display.text == (level == 0 ? "    " : "HI  "))
            try await sign.perform("brightness", ["level": .scalar("16")])
            #expect(sign.display.text == "HI  ")
        }
    }

    @Test("Blinking is the chip's own, at three speeds, and ends", arguments: ["2Hz", "1Hz", "0.5Hz"])
    func blink(rate: String) async throws {
        try await Sign.run { sign in
            try await sign.show("HI")
            try await sign.perform("blink", ["rate": .scalar(rate)])
            #expect(sign.display.blink == rate)
            #expect(sign.display.text == "HI  ")
            // The device does nothing for it.
            let before = sign.wires.count
            try await sign.wait(for: .seconds(3600))
            #expect(sign.wires.count == before)
            try await sign.perform("blink", ["rate": .scalar("off")])
            #expect(sign.display.blink == "off")
        }
    }

    @Test("It begins as its options say")
    func options() async throws {
        try await Sign.run(
            "8x8-bicolour", ["brightness": .scalar("3"), "blink": .scalar("1Hz"), "colour": .scalar("red")]
        ) { sign in
            #expect(sign.display.brightness == 3)
            try await sign.show("I")
            #expect(sign.display.blink == "1Hz")
            #expect(sign.display.drawing.contains("rrr"))
            try await sign.perform("colour", ["colour": .scalar("yellow")])
            #expect(sign.display.drawing.contains("yyy"))
        }
    }

    @Test("A long text moves through once and its end stays; a new one cuts in at once")
    func moving() async throws {
        try await Sign.run { sign in
            try await sign.show("HELLO YOU")
            var seen: [String?] = []
            for _ in 0..<7 {
                seen.append(sign.display.text)
                #expect(sign.state("moving") == (seen.count < 6))
                try await sign.wait(for: .milliseconds(300))
            }
            #expect(seen == ["HELL", "ELLO", "LLO ", "LO Y", "O YO", " YOU", " YOU"])
            try await sign.show("HELLO YOU")
            try await sign.wait(for: .milliseconds(400))
            try await sign.show("BYE")
            #expect(sign.display.text == "BYE ")
            #expect(sign.state("moving") == false)
        }
    }

    @Test("A text scrolls as often as it is told to, or for ever")
    func scrolling() async throws {
        try await Sign.run("alphanumeric", ["pace": .scalar("100ms")]) { sign in
            try await sign.perform("scroll", ["text": .scalar("OK"), "times": .scalar("2")])
            try await sign.wait(for: .milliseconds(1200))
            #expect(sign.state("moving") == true)
            try await sign.wait(for: .milliseconds(200))
            #expect(sign.state("moving") == false)
            #expect(sign.display.text == "    ")
            try await sign.perform("scroll", ["text": .scalar("OK"), "times": .scalar("forever")])
            try await sign.wait(for: .seconds(3600))
            #expect(sign.state("moving") == true)
        }
    }

    @Test("Dots of their own are lit whatever is shown")
    func dots() async throws {
        try await Sign.run("7-segment-large") { sign in
            try await sign.perform("dots", ["names": .list(["upper-left", "upper-right"])])
            #expect(sign.display.text == "'   ° ")
            try await sign.show("12:34")
            #expect(sign.display.text == "'12:3°4")
            try await sign.perform("dots", ["names": .scalar("left-colon")])
            #expect(sign.display.text == ":12:34")
            try await sign.perform("dots", ["names": .list([])])
            #expect(sign.display.text == "12:34")
            await #expect(throws: PeripheralError.self) {
                try await sign.perform("dots", ["names": .list(["degree"])])
            }
        }
    }

    @Test("Glyphs are defined by an option and by a command, and change what is there")
    func glyphs() async throws {
        try await Sign.run("8x8", ["glyphs": .list(["♥=.#.#./#####/.###./..#.."])]) { sign in
            try await sign.show("♥")
            #expect(sign.display.drawing.hasPrefix(".#.#....\n#####...\n.###....\n..#.....\n"))
            try await sign.perform("glyph", ["glyph": .scalar("♥=##")])
            #expect(sign.display.drawing.hasPrefix("##......\n........\n"))
            for wrong in ["", "♥", "♥=", "♥=x", "♥=##/#", "♥=" + String(repeating: "#/", count: 9)] {
                await #expect(throws: PeripheralError.self) {
                    try await sign.perform("glyph", ["glyph": .scalar(wrong)])
                }
            }
            #expect(sign.display.drawing.hasPrefix("##......\n"))
        }
    }

    @Test("What a glass cannot show is an error, and what it shows stays")
    func unsupported() async throws {
        try await Sign.run { sign in
            try await sign.show("HI")
            for (name, arguments) in [
                ("bar", ["value": .scalar("5")]), ("frame", ["rows": .list(["AB", "Z"])]),
                ("dots", ["names": .list([])]),
                ("frame", ["rows": .list(["A", "A", "A", "A", "A"])]), ("glyph", ["glyph": .scalar("a=ax")]),
            ] as [(String, [String: OptionInput])] {
                await #expect(throws: PeripheralError.self, "\(name)") { try await sign.perform(name, arguments) }
                #expect(sign.display.text == "HI  ")
            }
            try await sign.perform("frame", ["rows": .list(["ABCDEF12", "HJKLMN", "."])])
            #expect(sign.display.chips[0].ram.prefix(6) == [0xFF, 0, 0, 0x3F, 0, 0x40])
        }
    }

    @Test("At the end the glass is dark and the chip asleep, or left as it is", arguments: ["dark", "keep"])
    func end(atStop: String) async throws {
        let sign = try await Sign.run("alphanumeric", ["at-stop": .scalar(atStop)]) { sign in
            try await sign.show("HI")
            return sign
        }
        #expect(sign.display.isDark == (atStop == "dark"))
        let last = sign.wires.suffix(2)
        #expect((last == ["0x70 write 80", "0x70 write 20"]) == (atStop == "dark"))
    }

    @Test("A device that does nothing causes no traffic in an hour, keys included")
    func silence() async throws {
        try await Sign.run("8x8", ["interrupt": .scalar("GPIO22"), "release-check": .scalar("50ms")]) { sign in
            try await sign.show("8")
            let before = sign.wires.count
            try await sign.wait(for: .seconds(3600))
            #expect(sign.wires.count == before)
        }
    }

    @Test(
        "Options that do not go together are refused",
        arguments: [
            ["rotate": "90deg"], ["mirror": "horizontal"], ["layout": "bar-24", "rotate": "90deg"],
            ["layout": "16x8", "interrupt": "GPIO22"], ["interrupt": "GPIO22", "key-poll": "50ms"],
            ["release-check": "50ms"], ["glyphs": "x"],
        ])
    func combinations(options: [String: String]) async throws {
        await #expect(throws: PeripheralError.self) {
            try await DriverHarness.run(HT16K33.driver, options.mapValues { .scalar($0) }) { _ in }
        }
    }

    @Test(
        "Addresses are those that the chip can have, each once",
        arguments: [["0x6f"], ["0x78"], ["0x70", "0x70"], [], ["0x70", "x"]])
    func addresses(texts: [String]) {
        #expect(HT16K33Setup.address.kind.parse(.list(texts)) == nil)
        #expect(HT16K33Setup.address.kind.parse(.list(["0x70", "0x77"]))?.count == 2)
    }

    @Test("A chip that is absent is an error that names bus and address", arguments: [0, 1])
    func absent(present: Int) async throws {
        await #expect {
            try await Sign.run(
                chips: 2,
                prepare: { harness, _ in
                    let bus = try harness.board.i2cBus("I2C1")
                    for address in [0x70, 0x71].dropFirst(present) { bus.detach(try #require(I2CAddress(address))) }
                }
            ) { _ in }
        } throws: { error in
            guard let error = error as? PeripheralError else { return false }
            return error.code == .noAcknowledge && error.description.contains("I2C1 0x7\(present)")
        }
    }
}

extension HT16K33Display {
    var isDark: Bool { chips.allSatisfy { !$0.isLit } }
}
