/// How an outbox does at one moment.
public struct OutboxCondition: Sendable, Hashable {
    /// Why the disk takes nothing at present; `nil` while it does.
    public let failure: String?
    /// The disk takes seconds for a write.
    public let isSlow: Bool
    /// Captures that are in memory, and not on the disk yet.
    public let waiting: Int
    /// Captures that this run has dropped because the disk took nothing and memory was full.
    public let dropped: Int

    public init(failure: String? = nil, isSlow: Bool = false, waiting: Int = 0, dropped: Int = 0) {
        self.failure = failure
        self.isSlow = isSlow
        self.waiting = waiting
        self.dropped = dropped
    }

    public var isWell: Bool { failure == nil && !isSlow }
}

extension Outbox {
    /// On the loop.
    public nonisolated var condition: OutboxCondition {
        assumeIsolated { outbox in
            OutboxCondition(
                failure: outbox.failure, isSlow: outbox.slowness.outage != nil, waiting: outbox.waiting.count,
                dropped: outbox.droppedCount)
        }
    }
}
