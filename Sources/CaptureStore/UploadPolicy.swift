/// When to try an upload, and what is worth telling: the decisions of an ``Uploader``, without its actions.
///
/// After a failure the pause is random between zero and a limit that doubles from `shortest` to `longest`, so
/// that a fleet whose server comes back does not come back in step.
public struct UploadPolicy: Sendable {
    public enum Event: Sendable {
        case stored
        case failed(StorageError)
    }

    public enum Action: Sendable, Hashable {
        /// The record is delivered. `ended` is the outage that this ends, if it was announced.
        case confirm(ended: Outage?)
        /// The record is a dead letter. `isAnnounced` if that is to be logged.
        case reject(isAnnounced: Bool)
        /// Try again after the pause. `isAnnounced` if that is to be logged.
        case pause(Duration, isAnnounced: Bool)
    }

    /// A time in which nothing was stored.
    public struct Outage: Sendable, Hashable {
        /// When the first try failed, as time since boot.
        public let start: Duration
        public fileprivate(set) var failures: Int
    }

    private let shortest: Duration
    private let longest: Duration
    private var random: any RandomNumberGenerator & Sendable

    private var outage: Outage?
    private var isOutageAnnounced = false
    private var lastAnnouncement: Duration?
    public private(set) var rejections = 0

    /// A server may ask for an hour of patience at most; one that asks for a year is mistaken.
    static let longestRetryAfter = Duration.seconds(3600)
    /// A connection that comes and goes is announced once a minute at most.
    static let announcementInterval = Duration.seconds(60)

    public init(
        shortest: Duration = .seconds(1), longest: Duration = .seconds(300),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.shortest = shortest
        self.longest = longest
        self.random = random
    }

    public mutating func handle(_ event: Event, now: Duration) -> Action {
        switch event {
        case .stored:
            let ended = endOutage()
            return .confirm(ended: ended)
        case .failed(let error):
            switch error.kind {
            case .permanent:
                // A server that rejects one record works, so an outage ends with it; it is announced later.
                rejections += 1
                return .reject(isAnnounced: isPowerOfTen(rejections))
            case .temporary(let retryAfter):
                return fail(retryAfter: retryAfter, now: now)
            }
        }
    }

    private mutating func endOutage() -> Outage? {
        defer { outage = nil }
        return isOutageAnnounced ? outage : nil
    }

    private mutating func fail(retryAfter: Duration?, now: Duration) -> Action {
        var current = outage ?? Outage(start: now, failures: 0)
        if outage == nil { isOutageAnnounced = false }
        current.failures += 1
        outage = current
        var announces = false
        if !isOutageAnnounced, lastAnnouncement.map({ now - $0 >= Self.announcementInterval }) ?? true {
            announces = true
            isOutageAnnounced = true
            lastAnnouncement = now
        }
        // 2^20 seconds is beyond every limit, and the shift stays far from overflowing.
        let limit = min(longest, shortest * (1 << min(current.failures - 1, 20)))
        let pause = min(retryAfter ?? .zero, Self.longestRetryAfter) + limit * unitInterval()
        return .pause(pause, isAnnounced: announces)
    }

    /// Evenly distributed from 0 to just below 1, in 53 bits.
    private mutating func unitInterval() -> Double { Double(random.next() >> 11) * 0x1p-53 }
}
