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

extension FourteenSegment {
    /// Digits side by side as they look on the glass, in five rows of text.
    public static func drawing(of digits: [FourteenSegment]) -> String {
        var rows = [String](repeating: "", count: 5)
        for digit in digits {
            func mark(_ segment: FourteenSegment, _ text: String) -> String {
                digit.contains(segment) ? text : String(repeating: " ", count: text.count)
            }
            rows[0] += " " + mark(.top, "-----") + "   "
            rows[1] +=
                mark(.upperLeft, "|") + mark(.upperLeftDiagonal, "\\") + " " + mark(.upperVertical, "|") + " "
                + mark(.upperRightDiagonal, "/") + mark(.upperRight, "|") + "  "
            rows[2] += " " + mark(.middleLeft, "--") + " " + mark(.middleRight, "--") + "   "
            rows[3] +=
                mark(.lowerLeft, "|") + mark(.lowerLeftDiagonal, "/") + " " + mark(.lowerVertical, "|") + " "
                + mark(.lowerRightDiagonal, "\\") + mark(.lowerRight, "|") + "  "
            rows[4] += " " + mark(.bottom, "-----") + " " + mark(.point, "o") + " "
        }
        return rows.map { $0 }.joined(separator: "\n")
    }
}
