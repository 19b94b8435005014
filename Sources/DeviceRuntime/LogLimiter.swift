/// Decides which entries are worth a line when the same thing is said over and over, as of a loose wire or a network
/// that comes and goes.
///
/// The first few of a kind pass, and then one every two hours, with how many were left out before it. A kind is a message
/// and what it is about: a device, a storage, a rule. So a day of something that changes every minute takes 17 lines for
/// each thing that is said of it, and what happens once is always said.
struct LogLimiter: Sendable {
    private struct Kind {
        /// How many may pass.
        var credit: Int
        /// Since when that counts.
        var since: Duration
        var leftOut = 0
    }

    /// How many of a kind pass at once.
    static let burst = 5
    /// How long it takes until one more may.
    static let interval = Duration.seconds(7200)
    /// How many kinds are remembered: far more than a daemon has.
    private static let capacity = 1000
    /// What an entry can be about.
    private static let subjects: Set<String> = ["device", "storage", "backend", "rule", "service", "file", "directory"]

    private var kinds: [String: Kind] = [:]

    /// The entry as it is to be written; `nil` if it is left out. What is below notice is asked for, and passes.
    mutating func handle(_ entry: LogEntry, now: Duration) -> LogEntry? {
        guard entry.level >= .notice else { return entry }
        let subject = entry.fields.filter { Self.subjects.contains($0.name) }.map(\.value)
        let key = ([entry.message] + subject).joined(separator: "\u{0}")
        if kinds.count >= Self.capacity { kinds = [:] }
        var kind = kinds[key] ?? Kind(credit: Self.burst, since: now)
        let earned = Int((now - kind.since) / Self.interval)
        if earned > 0 {
            kind.since = kind.credit + earned >= Self.burst ? now : kind.since + Self.interval * earned
            kind.credit = min(Self.burst, kind.credit + earned)
        }
        guard kind.credit > 0 else {
            kind.leftOut += 1
            kinds[key] = kind
            return nil
        }
        if kind.credit == Self.burst { kind.since = now }
        kind.credit -= 1
        var passed = entry
        if kind.leftOut > 0 { passed.fields.append(("times since the last line", "\(kind.leftOut + 1)")) }
        kind.leftOut = 0
        kinds[key] = kind
        return passed
    }
}

/// Leaves out what is said over and over: see ``LogLimiter``.
public final class LimitedLogSink: LogSink {
    private let sink: any LogSink
    private let now: @Sendable () -> Duration
    private let limiter = Protected(LogLimiter())

    /// `now` is the time since boot.
    public init(_ sink: any LogSink, now: @escaping @Sendable () -> Duration = EventLoop.monotonicNow) {
        self.sink = sink
        self.now = now
    }

    public func write(_ entry: LogEntry) {
        let now = now()
        if let passed = limiter.withLock({ $0.handle(entry, now: now) }) { sink.write(passed) }
    }
}
