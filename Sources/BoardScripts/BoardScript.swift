/// What happens on a board, line by line: what a program asks of its peripherals and what they answer, and what comes in
/// by itself. Recorded on a board (``ScriptRecorder``) or written by hand, and played in a board's place
/// (``ScriptPlayer``).
///
///     I2C1 0x44: write 24 00
///     I2C1 0x44: read 6 -> 61 30 81 6f 2c 9b
///     GPIO27: falling
///
/// docs/scripts.md has all that a line may say. Empty lines and lines that begin with `#` say nothing.
public struct BoardScript: Sendable, CustomStringConvertible {
    public private(set) var lines: [ScriptLine]

    public init(_ lines: [ScriptLine]) { self.lines = lines }

    /// Throws ``ScriptSyntaxError`` for a line that is none, and for a script in which some lines have times and others
    /// have none, or in which time goes back.
    public init(_ text: String) throws {
        lines = []
        for (index, row) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = row.trimmed
            if words.isEmpty || words.hasPrefix("#") { continue }
            guard var line = ScriptLine(String(words)) else {
                throw ScriptSyntaxError(row: index + 1, text: String(words), reason: "expected 'WHO: what'")
            }
            line.row = index + 1
            if let last = lines.last {
                guard (last.time == nil) == (line.time == nil) else {
                    throw ScriptSyntaxError(
                        row: line.row, text: String(words), reason: "either all lines have times or none")
                }
                if let time = line.time, let before = last.time, time < before {
                    throw ScriptSyntaxError(row: line.row, text: String(words), reason: "time goes back here")
                }
            }
            lines.append(line)
        }
    }

    /// Whether its lines say when.
    public var isTimed: Bool { lines.first?.time != nil }

    /// Of a recording: how long the board had been up when it began. `nil` for a script of another kind.
    public var start: RecordingStart? { lines.first.flatMap { RecordingStart($0) } }

    /// Of a recording: when the program was told to stop.
    public var stop: Duration? { lines.last { $0.isStop }?.time }

    /// The peripherals that were opened more often than closed, in the order of their opening.
    public var leftOpen: [String] {
        var open: [String: Int] = [:]
        for line in lines {
            if line.verb == "open", !line.answer.hasPrefix("!"), line.answer != "cancelled" {
                open[line.source, default: 0] += 1
            } else if line.request == "close" {
                open[line.source, default: 0] -= 1
            }
        }
        var sources: [String] = []
        for line in lines where open[line.source, default: 0] > 0 && !sources.contains(line.source) {
            sources.append(line.source)
        }
        // Cameras have nothing to be closed.
        return sources.filter { !$0.hasPrefix("camera of ") }
    }

    public var description: String { lines.map { "\($0)\n" }.joined() }
}

/// What is wrong with a script's text.
public struct ScriptSyntaxError: Error, Sendable, CustomStringConvertible {
    /// From 1 on.
    public let row: Int
    public let text: String
    public let reason: String

    public var description: String { "line \(row) of the script: \(reason); found '\(text)'" }
}
