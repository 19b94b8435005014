import Peripherals

/// What a line tells by itself, as it stands in a script. Times are those of the script; the line's own is left out.
extension ScriptText {
    static func text(_ event: LineEvent, at now: Duration, origin: Duration) -> String {
        func at(_ time: Duration) -> String {
            time - origin == now ? "" : " at \(text(time: time - origin))"
        }
        switch event {
        case .edge(let edge):
            return edge.edge.rawValue + at(edge.timestamp) + (edge.sequenceNumber.map { " #\($0)" } ?? "")
        case .loss(let loss):
            return "lost \(loss.count.map(String.init) ?? "some")\(at(loss.timestamp)) now \(loss.level)"
                + (loss.missingEdge.map { " missing \($0.edge.rawValue)" } ?? "")
        case .quiet(let since): return "quiet since \(text(time: since - origin))"
        case .failure(let error): return "failed \(text(error))"
        }
    }

    /// What comes in by itself begins with one of these.
    private static let eventWords: Set<String> = ["rising", "falling", "lost", "quiet", "failed"]

    static func isEvent(_ request: String) -> Bool {
        words(request).first.map { eventWords.contains($0) } ?? false
    }

    /// `nil` for what is no event.
    static func event(_ request: String, of source: String, at now: Duration, origin: Duration) -> LineEvent? {
        var words = Self.words(request)[...]
        guard let kind = words.popFirst() else { return nil }
        func value(after word: String) -> String? {
            guard let place = words.firstIndex(of: word), place + 1 < words.endIndex else { return nil }
            return words[place + 1]
        }
        let time = value(after: "at").flatMap { Self.time($0) } ?? now
        switch kind {
        case "rising", "falling":
            let number = words.first { $0.hasPrefix("#") }.flatMap { UInt64($0.dropFirst()) }
            return Edge(rawValue: kind).map {
                .edge(EdgeEvent(edge: $0, timestamp: origin + time, sequenceNumber: number))
            }
        case "lost":
            guard let count = words.first, let level = value(after: "now").flatMap({ Level(rawValue: $0) }) else {
                return nil
            }
            let missing = value(after: "missing").flatMap { Edge(rawValue: $0) }
            return .loss(
                EdgeLoss(
                    count: UInt64(count), timestamp: origin + time, level: level,
                    missingEdge: missing.map { EdgeEvent(edge: $0, timestamp: origin + time) }))
        case "quiet": return value(after: "since").flatMap { Self.time($0) }.map { .quiet(since: origin + $0) }
        case "failed":
            return (failure(words.joined(separator: " "), of: source) as? PeripheralError).map { .failure($0) }
        default: return nil
        }
    }
}
