/// What has come of a backend's tries since the last time: written in one go.
struct Settlement: Sendable {
    /// A record that the cursor passes, or has passed, although something of it is left to do.
    struct Note: Sendable, Hashable {
        let sequence: Int64
        var content: NoteRow.Content
        var attempts: Int
        var error: String?
        var isRejected: Bool
    }

    /// An object that the backend has confirmed.
    struct Receipt: Sendable, Hashable {
        let sequence: Int64
        let isFile: Bool
        let name: String
        let size: Int
    }

    /// How the backend does.
    struct Failure: Sendable, Hashable {
        struct Outage: Sendable, Hashable {
            /// Nanoseconds since 1970.
            let since: Int64
            let reason: String
        }
        /// `nil` while it works.
        let outage: Outage?
    }

    let backend: String
    /// Each record up to this one is with the backend or has a note.
    var cursor: Int64
    var notes: [Note] = []
    /// Records whose notes go.
    var done: [Int64] = []
    var receipts: [Receipt] = []
    /// What has changed about that.
    var failure: Failure?

    /// How many deliveries of each backend are remembered.
    static let mostReceipts = 2000

    /// Adds a later one of the same backend.
    mutating func add(_ later: Settlement) {
        cursor = max(cursor, later.cursor)
        let overtaken = Set(later.done + later.notes.map(\.sequence))
        notes.removeAll { overtaken.contains($0.sequence) }
        done.removeAll { overtaken.contains($0) }
        notes += later.notes
        done += later.done
        receipts = (receipts + later.receipts).suffix(Self.mostReceipts)
        failure = later.failure ?? failure
    }
}
