// The rows of the outbox's tables, in the order of their columns.

/// The one row about the file itself.
struct OutboxRow: StoredRow, Hashable {
    static let table = "outbox"
    static let columnCount = 6

    var identity: String
    /// How many starts have written something.
    var runs: Int64
    /// Whether the last run closed the file.
    var isClean: Bool
    /// No number up to this one is given again.
    var lastSequence: Int64

    var values: [DatabaseValue] {
        [.integer(1), .text(identity), .integer(runs), .integer(isClean ? 1 : 0), .integer(lastSequence)]
    }

    init(identity: String, runs: Int64, isClean: Bool, lastSequence: Int64) {
        self.identity = identity
        self.runs = runs
        self.isClean = isClean
        self.lastSequence = lastSequence
    }

    init?(columns: [DatabaseValue]) {
        guard let identity = columns[1].text, let runs = columns[2].integer, let clean = columns[3].integer,
            let lastSequence = columns[4].integer
        else { return nil }
        self.init(identity: identity, runs: runs, isClean: clean == 1, lastSequence: lastSequence)
    }
}

/// A boot of the board, and what is known of the time in it.
struct BootRow: StoredRow, Hashable {
    static let table = "boots"
    static let columnCount = 5

    let id: Int64
    /// `/proc/sys/kernel/random/boot_id`
    let boot: String
    /// What to add to the time since boot to get the time since 1970, in nanoseconds; known once the clock was right.
    var offset: Int64?
    /// Records up to this one whose time was not known have left with the time that they were accepted at.
    var estimated: Int64

    var values: [DatabaseValue] {
        [.integer(id), .text(boot), offset.map { .integer($0) } ?? .null, .integer(estimated)]
    }

    init(id: Int64, boot: String, offset: Int64? = nil, estimated: Int64 = 0) {
        self.id = id
        self.boot = boot
        self.offset = offset
        self.estimated = estimated
    }

    init?(columns: [DatabaseValue]) {
        guard let id = columns[0].integer, let boot = columns[1].text, let estimated = columns[3].integer else {
            return nil
        }
        self.init(id: id, boot: boot, offset: columns[2].integer, estimated: estimated)
    }
}

/// A backend, and how far it is.
struct BackendRow: StoredRow, Hashable {
    static let table = "backends"
    static let columnCount = 7

    let id: Int64
    let name: String
    /// Each record up to this one is with the backend, or has a note, or is not for it.
    var cursor: Int64
    /// Whether it is in the configuration. For one that is not, records after the cursor are not meant.
    var isActive: Bool
    /// Since when uploads fail, in nanoseconds since 1970, and why; `nil` while they work.
    var failure: (since: Int64, reason: String)?

    static func == (left: BackendRow, right: BackendRow) -> Bool { left.values == right.values }
    func hash(into hasher: inout Hasher) { hasher.combine(values) }

    var values: [DatabaseValue] {
        [
            .integer(id), .text(name), .integer(cursor), .integer(isActive ? 1 : 0),
            failure.map { .integer($0.since) } ?? .null, failure.map { .text($0.reason) } ?? .null,
        ]
    }

    init(id: Int64, name: String, cursor: Int64, isActive: Bool) {
        self.id = id
        self.name = name
        self.cursor = cursor
        self.isActive = isActive
    }

    init?(columns: [DatabaseValue]) {
        guard let id = columns[0].integer, let name = columns[1].text, let cursor = columns[2].integer,
            let active = columns[3].integer
        else { return nil }
        self.init(id: id, name: name, cursor: cursor, isActive: active == 1)
        if let since = columns[4].integer, let reason = columns[5].text { failure = (since, reason) }
    }
}

/// What is left to do for one backend with a record that its cursor has passed.
struct NoteRow: StoredRow, Hashable {
    static let table = "notes"
    static let columnCount = 7

    enum Content: Int64 {
        /// All of the record.
        case everything = 0
        /// The file; the document is there.
        case file = 1
    }

    let sequence: Int64
    let backend: Int64
    var content: Content
    /// How often it was tried in vain.
    var attempts: Int64
    /// What the last try brought.
    var error: String?
    /// A dead letter: not tried again by itself.
    var isRejected: Bool

    var values: [DatabaseValue] {
        [
            .integer(sequence), .integer(backend), .integer(content.rawValue), .integer(attempts),
            error.map { .text($0) } ?? .null, .integer(isRejected ? 1 : 0),
        ]
    }

    init(
        sequence: Int64, backend: Int64, content: Content = .everything, attempts: Int64 = 0, error: String? = nil,
        isRejected: Bool = false
    ) {
        self.sequence = sequence
        self.backend = backend
        self.content = content
        self.attempts = attempts
        self.error = error
        self.isRejected = isRejected
    }

    init?(columns: [DatabaseValue]) {
        guard let sequence = columns[0].integer, let backend = columns[1].integer,
            let content = columns[2].integer.flatMap(Content.init), let attempts = columns[3].integer,
            let rejected = columns[5].integer
        else { return nil }
        self.init(
            sequence: sequence, backend: backend, content: content, attempts: attempts, error: columns[4].text,
            isRejected: rejected == 1)
    }
}
