/// A line of a script: `   1.234567890  I2C1 0x44: read 2 -> 61 30 (took 1204us)`.
public struct ScriptLine: Sendable, Hashable, CustomStringConvertible {
    /// Since the beginning: when it happened or, for something that takes a while, when it was over.
    public var time: Duration?
    /// Which peripheral, or which device: `GPIO27`, `I2C1 0x44`, `bell`.
    public var source: String
    /// What was asked of it, or what came in by itself.
    public var request: String
    /// What it answered, with a failure behind `!`; empty for nothing.
    public var answer: String
    /// How long it took.
    public var took: Duration
    /// A timer was due at that time, from which this followed or what came after it: a star behind the time.
    public var isOnTimer = false
    /// Its row in the text that it comes from, from 1 on; 0 for none.
    var row = 0

    public init(
        time: Duration? = nil, source: String, request: String, answer: String = "", took: Duration = .zero
    ) {
        self.time = time
        self.source = source
        self.request = request
        self.answer = answer
        self.took = took
    }

    /// Reads what ``description`` writes; `nil` for anything else.
    public init?(_ text: String) {
        var rest = text.trimmed
        if let end = rest.firstIndex(of: " ") {
            isOnTimer = rest[..<end].hasSuffix("*")
            time = ScriptText.time(rest[..<end].dropLast(isOnTimer ? 1 : 0))
            if time != nil { rest = rest[end...].trimmed }
        }
        guard let colon = rest.firstRange(of: ": "), colon.lowerBound > rest.startIndex else { return nil }
        source = String(rest[..<colon.lowerBound])
        rest = rest[colon.upperBound...].trimmed
        took = .zero
        if rest.hasSuffix(")"), let mark = rest.ranges(of: " (took ").last {
            guard let duration = ScriptText.duration(rest[mark.upperBound...].dropLast()) else { return nil }
            took = duration
            rest = rest[..<mark.lowerBound].trimmed
        }
        let parts = ScriptText.split(rest, at: "->")
        guard parts.count <= 2, let request = parts.first, !request.isEmpty else { return nil }
        self.request = ScriptText.singleSpaced(request)
        answer = parts.count == 2 ? ScriptText.singleSpaced(parts[1]) : ""
    }

    /// When it began.
    var begin: Duration? { time.map { $0 - took } }

    public var description: String {
        (time.map { "\(ScriptText.text(time: $0, width: 15))\(isOnTimer ? "*" : " ") " } ?? "") + body
    }

    /// All but the time and how long it took.
    var body: String { "\(source): \(request)\(answer.isEmpty ? "" : " -> \(answer)")" + tookText }

    private var tookText: String { took == .zero ? "" : " (took \(ScriptText.text(took)))" }
}

// MARK: Lines of the program itself

extension ScriptLine {
    private static let program = "perch"

    /// A timer was due then, from which nothing else follows that is written down.
    static func timer(at time: Duration) -> ScriptLine {
        var line = ScriptLine(time: time, source: program, request: "timer")
        line.isOnTimer = true
        return line
    }

    /// The program was told to stop then.
    static var stop: ScriptLine { ScriptLine(source: program, request: "stop") }

    var isTimer: Bool { source == Self.program && request == "timer" }
    var isStop: Bool { source == Self.program && request == "stop" }

    /// In a script without times: what follows comes at least that much later.
    var pause: Duration? {
        let words = request.split(separator: " ")
        guard source == Self.program, words.count == 2, words[0] == "pause" else { return nil }
        return ScriptText.duration(words[1])
    }

    /// Whether it is about the recording and nobody's doing.
    var isFrame: Bool { isTimer || isStop || RecordingStart(self) != nil }

    /// Whether it is something that the program does, and not something that happens to it.
    public var isOperation: Bool { source != Self.program && !isEvent }
}

/// The first line of a recording: `0.000000000  perch: start 12345.6 s after boot, 2026-03-01T07:30:00.250Z, on
/// raspberry-pi-4`.
public struct RecordingStart: Sendable, Hashable {
    /// How long the board had been up.
    public var uptime: Duration
    /// What the calendar clock said, as RFC 3339 in UTC.
    public var date: String
    /// The board's name.
    public var board: String

    public init(uptime: Duration, date: String, board: String) {
        self.uptime = uptime
        self.date = date
        self.board = board
    }

    init?(_ line: ScriptLine) {
        let words = line.request.split(separator: " ")
        guard line.source == "perch", words.count == 8, words[0] == "start", let uptime = ScriptText.time(words[1])
        else {
            return nil
        }
        self.init(uptime: uptime, date: String(words[5].dropLast()), board: String(words[7]))
    }

    var line: ScriptLine {
        ScriptLine(
            time: .zero, source: "perch",
            request: "start \(ScriptText.text(time: uptime)) s after boot, \(date), on \(board)")
    }
}
