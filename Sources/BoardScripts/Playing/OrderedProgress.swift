/// A script without times: its lines happen in their order, whatever they are about. What comes in does so once all
/// before it has happened.
///
/// Opening and closing, and reading a line's level, are left open where the script has no such line for the peripheral.
struct OrderedProgress: ScriptProgress {
    let lines: [ScriptLine]
    /// The next line.
    private var cursor = 0
    private var pauseEnd: Duration?
    /// What the script says of each source.
    private let verbs: [String: Set<Substring>]

    private static let optionalVerbs: Set<Substring> = ["open", "close", "read"]

    init(_ lines: [ScriptLine]) {
        self.lines = lines
        verbs = lines.reduce(into: [:]) { $0[$1.source, default: []].insert($1.verb) }
    }

    func concerns(_ source: String) -> Bool { verbs[source] != nil }

    mutating func ask(_ source: String, _ request: String, at now: Duration) -> ScriptVerdict {
        let verb = ScriptLine.verb(of: request)
        // A transfer of an I2C or SPI device that reads has a number behind its verb.
        if Self.optionalVerbs.contains(verb), verb != "read" || request == "read",
            verbs[source]?.contains(verb) != true
        {
            return .free
        }
        guard cursor < lines.count else {
            return ScriptLine.isReceiving(request) ? .wait : .difference(.unexpected, nil)
        }
        let line = lines[cursor]
        if ScriptLine.isReceiving(request) {
            guard line.source == source, line.isReceiving else { return .wait }
        } else {
            if line.pause != nil || line.isEvent { return .difference(.early, cursor) }
            guard line.source == source, line.request == request else { return .difference(.different, cursor) }
        }
        cursor += 1
        return .line(cursor - 1)
    }

    mutating func advance(to now: Duration, _ audience: ScriptAudience) -> ScriptStep? {
        while cursor < lines.count {
            let line = lines[cursor]
            if let pause = line.pause {
                guard let end = pauseEnd else {
                    pauseEnd = now + pause
                    return .pause(until: now + pause)
                }
                guard now >= end else { return nil }
                pauseEnd = nil
                cursor += 1
            } else if line.isEvent {
                guard audience.lines.contains(line.source) else { return nil }
                cursor += 1
                return .event(cursor - 1)
            } else {
                guard line.isReceiving, audience.ports.contains(line.source) else { return nil }
                cursor += 1
                return .end(cursor - 1)
            }
        }
        return nil
    }

    var leftOver: Int? { lines.indices[cursor...].first { lines[$0].pause == nil } }
}
