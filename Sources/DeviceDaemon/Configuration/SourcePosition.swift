/// A place in a file, as editors count it: both numbers begin at 1, and a column is a Unicode scalar.
public struct SourcePosition: Sendable, Hashable, Comparable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    static let start = SourcePosition(line: 1, column: 1)

    /// The place of a byte in UTF-8 text.
    init(ofByte offset: Int, in text: [UInt8]) {
        let before = text.prefix(max(0, offset))
        let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Every byte but a continuation (10xxxxxx) begins a scalar.
        let column = (lines.last ?? []).filter { $0 & 0xC0 != 0x80 }.count
        self.init(line: max(1, lines.count), column: column + 1)
    }

    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
