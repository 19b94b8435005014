/// A structured log entry: a constant message, and fields for what varies.
public struct LogEntry: Sendable {
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        public static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }
    }

    public var level: Level
    public var message: String
    /// In the order in which they were given.
    public var fields: [(name: String, value: String)]

    /// `message (name: value, name: value)`
    public var text: String {
        fields.isEmpty
            ? message : message + " (" + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + ")"
    }
}

/// Where log entries go.
public protocol LogSink: Sendable {
    func write(_ entry: LogEntry)
}

/// Writes entries at or above a level to a sink. Modest by default: what is normal is not logged, what
/// repeats is logged once.
public struct Logger: Sendable {
    private let sink: any LogSink
    public var level: LogEntry.Level

    public init(_ sink: any LogSink, level: LogEntry.Level = .info) {
        self.sink = sink
        self.level = level
    }

    /// `more` are fields whose names are not known here; they are made only if somebody wants the entry.
    public func debug(
        _ message: String, _ fields: KeyValuePairs<String, String> = [:],
        more: @autoclosure () -> [(name: String, value: String)] = []
    ) {
        log(.debug, message, fields, more: more())
    }
    public func info(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.info, message, fields) }
    public func notice(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.notice, message, fields)
    }
    public func warning(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.warning, message, fields)
    }
    public func error(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.error, message, fields) }

    private func log(
        _ level: LogEntry.Level, _ message: String, _ fields: KeyValuePairs<String, String>,
        more: @autoclosure () -> [(name: String, value: String)] = []
    ) {
        guard level >= self.level else { return }
        let all = fields.map { (name: $0.key, value: $0.value) } + more()
        sink.write(LogEntry(level: level, message: message, fields: all))
    }
}
