import Peripherals
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33: matrices and bar graphs")
struct MatrixTests {
    /// What is seen when a face shows rows.
    private static func seen(_ face: MatrixFace, _ rows: [String], on layout: String) throws -> [Substring] {
        try Sign.showing(try face.picture(rows), layout).drawing.split(separator: "\n")
    }

    @Test("Every point is where it was put, and nowhere else", arguments: ["8x8", "16x8", "16x8-wing", "8x8-bicolour"])
    func points(layout: String) throws {
        let face = try Sign.matrix(layout)
        for y in 0..<face.height {
            for x in 0..<face.width {
                var rows = [String](repeating: String(repeating: ".", count: face.width), count: face.height)
                let lit = layout == "8x8-bicolour" ? ["r", "g", "y"] : ["#"]
                for mark in lit {
                    rows[y] =
                        String(repeating: ".", count: x) + mark + String(repeating: ".", count: face.width - x - 1)
                    #expect(try Self.seen(face, rows, on: layout).map(String.init) == rows)
                }
            }
        }
    }

    @Test("Every bar has its three colours")
    func bars() throws {
        let face = try Sign.matrix("bar-24")
        for index in 0..<24 {
            for mark in ["r", "g", "y"] {
                let row = String(repeating: ".", count: index) + mark + String(repeating: ".", count: 23 - index)
                #expect(try Self.seen(face, [row], on: "bar-24") == [Substring(row)])
            }
        }
    }

    @Test(
        "A part of a bar graph is lit from the left, in its colour, however wrong the number",
        arguments: [(0.0, 0), (0.5, 12), (1, 24), (0.02, 0), (0.03, 1), (7, 24), (-1, 0), (.infinity, 24)])
    func bar(part: Double, count: Int) throws {
        var face = try Sign.matrix("bar-24")
        face.light = .yellow
        let bar = String(repeating: "y", count: count) + String(repeating: ".", count: 24 - count)
        #expect(try Sign.showing(try face.bar(part), "bar-24").drawing == bar)
    }

    @Test(
        "A picture can be turned clockwise and mirrored",
        arguments: [
            (0, MatrixFace.Orientation.Mirror.none, ["##......", "#......."]), (1, .none, ["......##", ".......#"]),
            (2, .none, ["........", "........"]), (3, .none, ["........", "........"]),
            (0, .horizontal, ["......##", ".......#"]), (0, .vertical, ["........", "........"]),
        ])
    func turned(turns: Int, mirror: MatrixFace.Orientation.Mirror, top: [String]) throws {
        var face = try Sign.matrix("8x8")
        face.orientation = MatrixFace.Orientation(turns: turns, mirror: mirror)
        let seen = try Self.seen(face, ["##", "#."], on: "8x8")
        #expect(seen.prefix(2).map(String.init) == top)
        let corner = turns == 2 ? seen[7].suffix(2) : turns == 3 || mirror == .vertical ? seen[7].prefix(2) : seen[0]
        #expect(corner.contains("#"))
        #expect(seen.joined().count { $0 == "#" } == 3)
    }

    @Test("A wide matrix that is turned is a high one")
    func high() throws {
        var face = try Sign.matrix("16x8")
        face.orientation.turns = 1
        #expect((face.width, face.height) == (8, 16))
        let rows = ["#......."] + [String](repeating: "........", count: 14) + [".......#"]
        let seen = try Self.seen(face, rows, on: "16x8")
        #expect(seen.first?.last == "#" && seen.last?.first == "#")
        #expect(try Sign.showing(try #require(face.still("I", atRight: false)), "16x8").litCount == 11)
    }

    @Test("Several chips are one picture, each turned by itself")
    func severalChips() throws {
        var face = try Sign.matrix("8x8", chips: 3)
        let row = "#......##......##......#"
        #expect(try Self.seen(face, [row], on: "8x8").first.map(String.init) == row)
        face.orientation.turns = 2
        #expect(try Self.seen(face, [row], on: "8x8").last.map(String.init) == row)
    }

    @Test(
        "A text that fits stands, with less room beside colons if need be",
        arguments: [
            ("16x8", "12:34", 1), ("16x8", "20:45", 1), ("8x8", "42", 1), ("16x8", "HELLO", 9), ("8x8", "W", 1),
        ])
    func text(layout: String, text: String, frames: Int) throws {
        let face = try Sign.matrix(layout)
        let still = face.still(text, atRight: false)
        #expect((still != nil) == (frames == 1))
        if still == nil { #expect(try face.moving(text, isPassing: false).count == frames) }
    }

    @Test("Every printable character has points, and no two look alike")
    func font() {
        var seen: [[UInt8]: Character] = [:]
        for code in UInt8(0x21)...0x7E {
            let character = Character(UnicodeScalar(code))
            let glyph = MatrixFont.glyph(of: character)
            #expect(glyph?.contains { $0 != 0 } == true, "\(character)")
            #expect(glyph?.allSatisfy { $0 < 1 << MatrixFont.height } == true, "\(character)")
            if let glyph, let other = seen.updateValue(character, forKey: glyph) {
                Issue.record("\(character) looks like \(other)")
            }
        }
        #expect(Set("0123456789".map { MatrixFont.glyph(of: $0)?.count }) == [3])
    }

    @Test("What the glass does not have is an error that says so, and what is shown stays")
    func wrong() throws {
        let face = try Sign.matrix("8x8")
        for rows in [["#########"], [String](repeating: "", count: 9), ["r"], ["x"]] {
            #expect(throws: PeripheralError.self) { try face.picture(rows) }
        }
        #expect(throws: PeripheralError.self) { try face.bar(0.5) }
        #expect(throws: PeripheralError.self) { try Sign.matrix("bar-24").moving("HI", isPassing: true) }
        #expect(try Sign.matrix("bar-24").still("", atRight: false) == nil)
    }
}
