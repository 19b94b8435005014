/// Where a program did something else than its script says: the first place.
public struct ScriptDifference: Error, Sendable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// It did something else.
        case different
        /// It did not do it in time, or at all.
        case missing
        /// It did more than the script says.
        case unexpected
        /// It did it before its time, or before what comes first.
        case early
        /// The script has an answer that is none.
        case unreadable
    }

    public let kind: Kind
    /// What the script says; `nil` if it says nothing more.
    public let expected: ScriptLine?
    /// What the program did, as a line without an answer; `nil` for nothing.
    public let found: ScriptLine?
    /// The script around the place.
    private let before: ArraySlice<ScriptLine>
    private let after: ArraySlice<ScriptLine>

    private static let linesBefore = 6
    private static let linesAfter = 2

    init(_ kind: Kind, in lines: [ScriptLine], at index: Int?, found: ScriptLine?) {
        self.kind = kind
        self.found = found
        let place = index ?? lines.firstIndex { line in found?.time.map { (line.time ?? .zero) > $0 } ?? false }
        expected = index.map { lines[$0] }
        before = lines[..<(place ?? lines.count)].filter { !$0.isTimer }.suffix(Self.linesBefore)[...]
        after = place.map { lines[($0 + (index == nil ? 0 : 1))...].prefix(Self.linesAfter) } ?? []
    }

    public var description: String {
        var rows = before.map { "    \($0)" }
        if let expected { rows.append("  - \(expected)") }
        if let found { rows.append("  + \(found)") }
        rows += after.map { "    \($0)" }
        return "\(headline)\n\n\(rows.joined(separator: "\n"))"
    }

    private var headline: String {
        let place = expected.map { $0.row > 0 ? "line \($0.row)" : "the script" } ?? "the script"
        switch kind {
        case .different: return "something else was done than \(place) says"
        case .missing: return "what \(place) says was not done\(expected?.time == nil ? "" : " in time")"
        case .unexpected: return "more was done than the script says"
        case .early:
            return "\(place) was done\(lead.map { " \(ScriptText.text(time: $0)) s too early" } ?? " before its turn")"
        case .unreadable: return "\(place) has an answer that does not fit"
        }
    }

    private var lead: Duration? {
        guard let begin = expected?.begin, let time = found?.time else { return nil }
        return begin - time
    }
}
