import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33: text on digits")
struct DigitTests {
    /// Every text of up to five characters out of a digit, a point and a blank.
    static let dots: [String] = (1...5).reduce(into: ([""], [String]())) { result, _ in
        result.0 = result.0.flatMap { text in ["8", ".", " "].map { text + $0 } }
        result.1 += result.0
    }.1

    @Test("A point stands in the digit before it, or in one of its own, in every combination", arguments: dots)
    func points(text: String) throws {
        // One word a digit: written on its own terms, since this is what displays in the field get wrong.
        var words: [String] = []
        for character in text {
            if character == ".", let last = words.last, !last.hasSuffix(".") {
                words[words.count - 1] += "."
            } else {
                words.append(String(character))
            }
        }
        for layout in ["alphanumeric", "7-segment"] {
            let frame = try Sign.digits(layout).still(text, atRight: false)
            #expect((frame != nil) == (words.count <= 4))
            guard let frame else { continue }
            // A blank with a point looks as a point alone does.
            let read = (words + ["", "", "", ""].map { $0 + " " }).prefix(4).map { $0 == " ." ? "." : $0 }.joined()
            #expect(try Sign.showing(frame, layout).text == read, "\(layout)")
        }
    }

    @Test(
        "Adafruit_LED_Backpack#53: a point alone is a point, and so are its neighbours",
        arguments: [(".", ".   "), (",", ",   "), ("!", "!   "), ("!.", "!.  "), ("'.", "'.   "), ("..", "..  ")])
    func marks(text: String, glass: String) throws {
        let frame = try #require(try Sign.digits("alphanumeric").still(text, atRight: false))
        #expect(try Sign.showing(frame, "alphanumeric").text == glass)
        #expect(frame.contains { $0 != 0 })
    }

    @Test("smittytone#18: a blank is blank, and every character is itself or one that looks alike")
    func font() throws {
        let lookAlikes: [Character: Character] = ["[": "C", "|": ":"]
        for code in UInt8(0x20)...0x7E {
            let character = Character(UnicodeScalar(code))
            let frame = try #require(try Sign.digits("alphanumeric").still(String(character), atRight: false))
            let read = try Sign.showing(frame, "alphanumeric").text
            #expect(read == "\(lookAlikes[character] ?? character)   ", "\(character)")
            #expect(frame.allSatisfy { $0 == 0 } == (character == " "), "\(character)")
        }
    }

    @Test("Seven segments tell the digits apart, and show something for every character", arguments: 0x21...0x7E)
    func sevenSegments(code: Int) throws {
        let character = Character(try #require(UnicodeScalar(code)))
        let frame = try #require(try Sign.digits("7-segment").still(String(character), atRight: false))
        #expect(frame.contains { $0 != 0 })
        let read = try Sign.showing(frame, "7-segment").text
        if character.isNumber || "ACEFHJLPU-_=°".contains(character) { #expect(read == "\(character)   ") }
    }

    @Test(
        "On 7 segments a colon is the colon where it is, and a digit elsewhere",
        arguments: [
            ("12:34", "12:34"), ("1:23", " 1:23"), (":23", "  :23"), ("12:3", "12:3 "), ("12.:34", "12.:34"),
            ("12:.34", "12.:34"), ("1.2.:3.4.", "1.2.:3.4."), ("12:", "12:  "), ("8:8:8", " 8:8\u{FFFD}"),
        ])
    func colon(text: String, glass: String) throws {
        guard let frame = try Sign.digits("7-segment").still(text, atRight: false) else {
            #expect(text == "8:8:8")
            return
        }
        #expect(try Sign.showing(frame, "7-segment").text == glass)
    }

    @Test(
        "The large glass has two colons and a dot above, and no points",
        arguments: [
            ("12:34", "12:34"), (":12:34", ":12:34"), ("-42°C", "-42°C"), ("1.5", "1_5 "), ("20.5", "20_5"),
            ("°", "°   "), ("12:34.", nil),
        ])
    func large(text: String, glass: String?) throws {
        let frame = try Sign.digits("7-segment-large").still(text, atRight: false)
        #expect(try frame.map { try Sign.showing($0, "7-segment-large").text } == glass.map { $0 })
    }

    @Test(
        "Several chips are one display: text, points and colons go on from one to the next",
        arguments: [
            ("HELLO YOU", nil), ("HELLOYOU", "HELLOYOU"), ("3.14159265", "3.14159265"), ("1.2.3.4.5.", "1.2.3.4.5.   "),
        ])
    func severalChips(text: String, glass: String?) throws {
        let frame = try Sign.digits(
            "alphanumeric", chips: text.count > 8 && glass == nil ? 2 : text.hasPrefix("3") ? 3 : 2
        )
        .still(text, atRight: false)
        let read = try frame.map { try Sign.showing($0, "alphanumeric").text ?? "" }
        if let glass { #expect(read?.hasPrefix(glass) == true) } else { #expect(read == nil) }
        let clocks = try #require(try Sign.digits("7-segment", chips: 2).still("12:3456:78", atRight: false))
        #expect(try Sign.showing(clocks, "7-segment").text == "12:3456:78")
    }

    @Test("A text that is too long moves through once; one that scrolls begins and ends with an empty glass")
    func moving() throws {
        let face = try Sign.digits("alphanumeric")
        func texts(_ moving: (count: Int, frame: @Sendable (Int) -> [UInt8])) throws -> [String?] {
            try (0..<moving.count).map { try Sign.showing(moving.frame($0), "alphanumeric").text }
        }
        #expect(try texts(face.moving("A.BCDE", isPassing: false)) == ["A.BCD", "BCDE"])
        #expect(
            try texts(face.moving("OK", isPassing: true)) == ["    ", "   O", "  OK", " OK ", "OK  ", "K   ", "    "])
    }

    @Test("Glyphs of one's own come first, with their points")
    func glyphs() throws {
        var face = try Sign.digits("7-segment")
        face.glyphs = ["h": 0b0111_0100, "µ": 0b1001_1100]
        let frame = try #require(face.still("hµ.", atRight: false))
        #expect(Array(frame[0...6]) == [0x74, 0, 0x9C, 0, 0, 0, 0x80])
    }

    @Test("What has no glyph is a question mark", arguments: ["é", "漢", "👍🏽", "\n", "\u{0}"])
    func unknown(text: String) throws {
        let frame = try #require(try Sign.digits("alphanumeric").still(text, atRight: false))
        #expect(try Sign.showing(frame, "alphanumeric").text == "?   ")
    }
}
