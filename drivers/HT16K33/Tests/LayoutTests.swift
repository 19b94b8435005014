import SegmentGlyphs
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33: the wiring of each backpack")
struct LayoutTests {
    @Test("The driver and the part know the same layouts, with the same bits", arguments: Sign.layoutNames)
    func bits(name: String) throws {
        let layout = try Sign.layout(name)
        let all: [Int] =
            switch layout.glass {
            case .digits(let glass): glass.allBits
            case .matrix(let glass): glass.allBits
            }
        var ram = [UInt8](repeating: 0, count: 16)
        for bit in all { ram.set(bit) }
        // Where the driver lights everything that it knows, the part has nothing dark, and there is nothing else.
        let display = try Sign.showing(ram, name)
        #expect(display.litCount == Set(all).count)
        #expect(!display.svg.contains("class=\"dark\""))
        #expect(layout.usesRow15 == ["16x8", "16x8-wing", "8x8-bicolour", "bar-24"].contains(name))
    }

    @Test(
        "Each segment of each digit is where it belongs", arguments: ["alphanumeric", "7-segment", "7-segment-large"])
    func segments(name: String) throws {
        let face = try Sign.digits(name)
        let isFourteen = name == "alphanumeric"
        for digit in 0..<4 {
            for letter in isFourteen ? "ABCDEF12HJKLMN." : name == "7-segment" ? "ABCDEFG." : "ABCDEFG" {
                let rows = [String](repeating: "", count: digit) + [String(letter)]
                let display = try Sign.showing(try face.picture(rows), name)
                let glyph =
                    isFourteen
                    ? FourteenSegment(letters: String(letter))?.drawing : SevenSegment(letters: String(letter))?.drawing
                // The drawing of that digit alone, whose rows have a place of their own in the whole.
                let drawing = display.drawing.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                let width = try #require(glyph?.first?.count)
                let left =
                    digit * width + (name == "7-segment-large" ? 2 : 0) + (isFourteen || digit < 2 ? 0 : 2)
                    + (name == "7-segment-large" && digit == 3 ? 2 : 0)
                #expect(drawing.map { String($0.dropFirst(left).prefix(width)) } == glyph, "\(digit) \(letter)")
                #expect(display.litCount == 1)
            }
        }
    }

    @Test("What is in no glass of ours is never written", arguments: Sign.layoutNames)
    func strayBits(name: String) throws {
        let layout = try Sign.layout(name)
        let frames: [[UInt8]]
        switch layout.glass {
        case .digits:
            frames = ["8.8.8.8.", "12:34", "@#&%"].compactMap { try? Sign.digits(name).still($0, atRight: false) }
        case .matrix(let glass):
            let mark = glass.isBicolour ? "y" : "#"
            frames = [
                try Sign.matrix(name).picture(
                    [String](repeating: String(repeating: mark, count: glass.width), count: glass.height))
            ]
        }
        #expect(!frames.isEmpty)
        for frame in frames {
            let lit = frame.reduce(0) { $0 + $1.nonzeroBitCount }
            let seen = try Sign.showing(frame, name).litCount
            #expect(seen == lit)
        }
    }
}
