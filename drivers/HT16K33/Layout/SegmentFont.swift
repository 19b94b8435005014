import SegmentGlyphs

/// The glyphs of a kind of digit, as bits from the digit's first one on.
enum SegmentFont: Sendable {
    case seven
    case fourteen

    /// How many segments a digit has, the point included.
    var bitCount: Int { self == .seven ? 8 : 15 }

    var point: UInt16 {
        self == .seven ? UInt16(SevenSegment.point.rawValue) : FourteenSegment.point.rawValue
    }

    /// What stands for a point on a glass without one.
    var lowMark: UInt16 {
        self == .seven ? UInt16(SevenSegment.bottom.rawValue) : FourteenSegment.bottom.rawValue
    }

    func glyph(of character: Character) -> UInt16? {
        self == .seven
            ? SevenSegment(character).map { UInt16($0.rawValue) } : FourteenSegment(character)?.rawValue
    }

    /// A glyph of single segments by their letters: `ABGED.`
    func glyph(letters: String) -> UInt16? {
        self == .seven
            ? SevenSegment(letters: letters).map { UInt16($0.rawValue) } : FourteenSegment(letters: letters)?.rawValue
    }

    /// For messages.
    var letters: String { self == .seven ? "A to G and ." : "A to F, 1, 2, H, J to N and ." }
}
