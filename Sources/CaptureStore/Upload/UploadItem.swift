/// What is known of a record before it is looked up for sending.
struct UploadItem: Sendable, Hashable {
    let sequence: Int64
    /// About how many bytes its document has.
    let size: Int
    /// How many its file has; `nil` without one.
    let fileSize: Int?
    /// How often it was tried by itself in vain.
    var attempts: Int
    /// Whether the outbox has a note about it: the cursor has passed it.
    var isNoted: Bool
    /// Whether it is on the disk.
    let isDurable: Bool
    /// Whether its calendar time is settled.
    var isStamped = true
}

/// Some items that go to the backend together.
struct UploadBatch: Sendable, Hashable {
    let id: Int
    let items: [UploadItem]
    let share: Record.Share
    let reason: Reason

    enum Reason: Sendable, Hashable {
        case backlog
        /// Failed thrice, and then others did not: a failure now is its own.
        case probation
        /// Part of a set that has a culprit in it.
        case suspicion
        /// Has a time of its own.
        case deferred
    }

    /// In bytes, files included where they go along.
    var size: Int { items.reduce(0) { $0 + $1.size(of: share) } }
}

extension UploadItem {
    func size(of share: Record.Share) -> Int {
        switch share {
        case .document: size
        case .file: fileSize ?? 0
        case .everything: size + (fileSize ?? 0)
        }
    }
}
