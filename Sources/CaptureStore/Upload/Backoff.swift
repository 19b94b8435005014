/// How long to wait after a failure: random between zero and a limit that doubles, so that a fleet whose server comes
/// back does not come back in step ("full jitter").
public struct Backoff: Sendable {
    private let shortest: Duration
    private let longest: Duration
    private var random: any RandomNumberGenerator & Sendable

    /// A server may ask for an hour of patience at most; one that asks for a year is mistaken.
    static let longestRetryAfter = Duration.seconds(3600)

    public init(
        shortest: Duration = .seconds(1), longest: Duration = .seconds(300),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.shortest = shortest
        self.longest = longest
        self.random = random
    }

    /// The pause after so many failures in a row, at least one; what a server asks for comes on top.
    public mutating func pause(failures: Int, retryAfter: Duration? = nil) -> Duration {
        // 2^20 seconds is beyond every limit, and the shift stays far from overflowing.
        let limit = min(longest, shortest * (1 << min(max(failures - 1, 0), 20)))
        return min(retryAfter ?? .zero, Self.longestRetryAfter) + limit * unitInterval()
    }

    /// Evenly distributed from 0 to just below 1, in 53 bits.
    private mutating func unitInterval() -> Double { Double(random.next() >> 11) * 0x1p-53 }
}

/// When uploads fail and work again, and what of that is worth a line in the log.
public struct OutageLog: Sendable {
    /// A time in which nothing was stored.
    public struct Outage: Sendable, Hashable {
        /// When the first try failed, as time since boot.
        public let start: Duration
        public fileprivate(set) var failures: Int
    }

    public private(set) var outage: Outage?
    private var isAnnounced = false
    private var lastAnnouncement: Duration?

    /// A connection that comes and goes is announced once a minute at most.
    static let interval = Duration.seconds(60)

    public init() {}

    /// Notes a failure, and returns whether it is to be announced.
    public mutating func fail(now: Duration) -> Bool {
        if outage == nil { isAnnounced = false }
        var current = outage ?? Outage(start: now, failures: 0)
        current.failures += 1
        outage = current
        guard !isAnnounced, lastAnnouncement.map({ now - $0 >= Self.interval }) ?? true else { return false }
        isAnnounced = true
        lastAnnouncement = now
        return true
    }

    /// Notes a success, and returns the outage that it ends, if that was announced.
    public mutating func succeed() -> Outage? {
        defer { outage = nil }
        return isAnnounced ? outage : nil
    }
}
