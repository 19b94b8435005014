import SegmentGlyphs

/// How a text becomes digits on the glass.
enum HT16K33Text {
    /// One digit a character; a point is merged into the digit before it, and takes a digit of its own where
    /// there is none or where that digit has its point already. A character without a glyph shows as `?`.
    static func digits(of text: String) -> [FourteenSegment] {
        let unknown = FourteenSegment("?") ?? []
        return text.reduce(into: []) { digits, character in
            if character == ".", let last = digits.last, !last.contains(.point) {
                digits[digits.count - 1].insert(.point)
            } else {
                digits.append(FourteenSegment(character) ?? unknown)
            }
        }
    }

    /// What a glass of `width` digits shows one after the other: a text that fits is one frame, filled up with
    /// blanks; a longer one moves through from its beginning to its end.
    static func frames(of digits: [FourteenSegment], width: Int) -> [[FourteenSegment]] {
        guard digits.count > width else {
            return [digits + [FourteenSegment](repeating: [], count: width - digits.count)]
        }
        return (0...digits.count - width).map { Array(digits[$0..<$0 + width]) }
    }
}
