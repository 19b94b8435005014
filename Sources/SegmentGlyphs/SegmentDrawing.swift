/// A digit's segments as lines in a unit box, x to the right and y downwards: what every drawing is made from.
public struct SegmentLine: Sendable {
    public let segment: FourteenSegment
    public let from: (x: Double, y: Double)
    public let to: (x: Double, y: Double)

    public static let all: [SegmentLine] = [
        SegmentLine(segment: .top, from: (0, 0), to: (1, 0)),
        SegmentLine(segment: .upperRight, from: (1, 0), to: (1, 0.5)),
        SegmentLine(segment: .lowerRight, from: (1, 0.5), to: (1, 1)),
        SegmentLine(segment: .bottom, from: (0, 1), to: (1, 1)),
        SegmentLine(segment: .lowerLeft, from: (0, 0.5), to: (0, 1)),
        SegmentLine(segment: .upperLeft, from: (0, 0), to: (0, 0.5)),
        SegmentLine(segment: .middleLeft, from: (0, 0.5), to: (0.5, 0.5)),
        SegmentLine(segment: .middleRight, from: (0.5, 0.5), to: (1, 0.5)),
        SegmentLine(segment: .upperLeftDiagonal, from: (0, 0), to: (0.5, 0.5)),
        SegmentLine(segment: .upperVertical, from: (0.5, 0), to: (0.5, 0.5)),
        SegmentLine(segment: .upperRightDiagonal, from: (1, 0), to: (0.5, 0.5)),
        SegmentLine(segment: .lowerLeftDiagonal, from: (0.5, 0.5), to: (0, 1)),
        SegmentLine(segment: .lowerVertical, from: (0.5, 0.5), to: (0.5, 1)),
        SegmentLine(segment: .lowerRightDiagonal, from: (0.5, 0.5), to: (1, 1)),
        SegmentLine(segment: .point, from: (1.3, 1), to: (1.3, 1)),
    ]
}

/// How many rows of text a digit is high.
public let drawnDigitHeight = 5

extension FourteenSegment {
    /// The digit as it looks on the glass, in five rows of text.
    public var drawing: [String] {
        func mark(_ segment: FourteenSegment, _ text: String) -> String { contains(segment) ? text : blank(text) }
        return [
            " " + mark(.top, "-----") + "   ",
            mark(.upperLeft, "|") + mark(.upperLeftDiagonal, "\\") + " " + mark(.upperVertical, "|") + " "
                + mark(.upperRightDiagonal, "/") + mark(.upperRight, "|") + "  ",
            " " + mark(.middleLeft, "--") + " " + mark(.middleRight, "--") + "   ",
            mark(.lowerLeft, "|") + mark(.lowerLeftDiagonal, "/") + " " + mark(.lowerVertical, "|") + " "
                + mark(.lowerRightDiagonal, "\\") + mark(.lowerRight, "|") + "  ",
            " " + mark(.bottom, "-----") + " " + mark(.point, "o") + " ",
        ]
    }
}

extension SevenSegment {
    /// The digit as it looks on the glass, in five rows of text.
    public var drawing: [String] {
        func mark(_ segment: SevenSegment, _ text: String) -> String { contains(segment) ? text : blank(text) }
        return [
            " " + mark(.top, "---") + "   ",
            mark(.upperLeft, "|") + "   " + mark(.upperRight, "|") + "  ",
            " " + mark(.middle, "---") + "   ",
            mark(.lowerLeft, "|") + "   " + mark(.lowerRight, "|") + "  ",
            " " + mark(.bottom, "---") + " " + mark(.point, "o") + " ",
        ]
    }
}

private func blank(_ text: String) -> String { String(repeating: " ", count: text.count) }
