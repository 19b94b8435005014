public import DeviceRuntime

/// Looks into an outbox without changing it, also while a daemon writes to it.
public final class OutboxReader {
    /// A record that is on its way.
    public struct Entry: Sendable, Hashable {
        public var id: RecordID
        public var part: String
        public var event: String
        public var time: String
        /// What that is worth; `nil` while it may yet be learned, and for records of an earlier version.
        public var clock: TimeQuality?
        /// The payload's size in bytes; `nil` without one.
        public var payloadSize: Int?
        public var deliveries: [Delivery]
    }

    /// How far a record is with one backend that has yet to get it.
    public struct Delivery: Sendable, Hashable {
        public var backend: String
        /// How often it was tried in vain.
        public var attempts: Int
        /// What the last try brought.
        public var lastError: String?
        /// A dead letter: not tried again by itself.
        public var isRejected: Bool
        /// The document is there; the file is not.
        public var isFileOnly = false
    }

    /// What a backend has yet to get.
    public struct Backlog: Sendable, Hashable {
        public var backend: String
        public var pending: Int
        public var rejected: Int
        /// When what waits longest happened, dead letters aside; `nil` if nothing waits.
        public var oldest: WallTime?
        /// `nil` while uploads work.
        public var failure: Failure?

        /// What keeps uploads from working.
        public struct Failure: Sendable, Hashable {
            public var since: WallTime
            public var reason: String
        }
    }

    let records: RecordDatabase
    let directory: String
    /// The last one that wrote something: its clock may yet become right.
    private var boot: String { records.boots.values.max { $0.id < $1.id }?.boot ?? "" }

    /// Throws ``OutboxError`` when there is no outbox in `directory`, or it cannot be read.
    public init(directory: String) throws {
        self.directory = directory
        let path = "\(directory)/outbox.db"
        do {
            guard try Files.size(of: path) != nil else {
                throw OutboxError("there is no outbox in \(directory)", advice: "it is made when the daemon first runs")
            }
            records = RecordDatabase(try Database(path, .readOnly))
            guard try records.database.integer("PRAGMA user_version") == RecordDatabase.version else {
                throw OutboxError(
                    "the outbox in \(directory) is of another version of perch",
                    advice: "the daemon of this version takes it over when it starts")
            }
            try records.readState()
        } catch let error as OutboxError {
            throw error
        } catch {
            throw OutboxError(
                "cannot read the outbox in \(directory): \(error)", advice: "run this as root or as perch's user")
        }
    }

    /// Calls `body` with each record, oldest first, one at a time, however many there are.
    public func forEachEntry(_ body: (Entry) throws -> Void) throws {
        try records.database.query("SELECT * FROM records ORDER BY sequence") { columns in
            guard let row = columns.values.flatMap({ RecordRow(checking: $0) }) else {
                return try body(damaged(columns.integer(0)))
            }
            let stamp = records.stamp(of: row, currentBoot: boot)
            try body(
                Entry(
                    id: RecordID(device: row.device, identity: row.identity, sequence: row.sequence), part: row.part,
                    event: row.event, time: (stamp?.time ?? WallTime(sinceEpoch: .nanoseconds(row.time))).description,
                    clock: stamp?.quality, payloadSize: row.mediaType.map { _ in Int(row.size) },
                    deliveries: try deliveries(of: row.sequence)))
        }
    }

    private func damaged(_ sequence: Int64) throws -> Entry {
        Entry(
            id: RecordID(device: "", identity: "damaged", sequence: sequence), part: "", event: "", time: "",
            clock: nil,
            payloadSize: nil, deliveries: try deliveries(of: sequence))
    }

    private func deliveries(of sequence: Int64) throws -> [Delivery] {
        var notes: [Int64: NoteRow] = [:]
        for note in try records.database.rows(NoteRow.self, "WHERE sequence = ?", [.integer(sequence)]) {
            notes[note.backend] = note
        }
        return records.backends.values.sorted { $0.name < $1.name }.compactMap { backend in
            if let note = notes[backend.id] {
                return Delivery(
                    backend: backend.name, attempts: Int(note.attempts), lastError: note.error,
                    isRejected: note.isRejected, isFileOnly: note.content == .file)
            }
            guard backend.isActive, sequence > backend.cursor else { return nil }
            return Delivery(backend: backend.name, attempts: 0, lastError: nil, isRejected: false, isFileOnly: false)
        }
    }

    /// Counts by backend, in order of name; backends without a backlog are not listed.
    public func backlog() throws -> [Backlog] {
        try records.backlog().filter { $0.records > 0 }.map { backend, count in
            let rejected = try records.database.integer(
                "SELECT count(*) FROM notes WHERE backend = ? AND rejected = 1", [.integer(backend.id)])
            return Backlog(
                backend: backend.name, pending: count - Int(rejected ?? 0), rejected: Int(rejected ?? 0),
                oldest: try oldest(for: backend),
                failure: backend.failure.map {
                    Backlog.Failure(since: WallTime(sinceEpoch: .nanoseconds($0.since)), reason: $0.reason)
                })
        }
    }

    private func oldest(for backend: BackendRow) throws -> WallTime? {
        let noted = try records.database.integer(
            "SELECT min(sequence) FROM notes WHERE backend = ? AND rejected = 0", [.integer(backend.id)])
        let waiting =
            backend.isActive
            ? try records.database.integer(
                "SELECT min(sequence) FROM records WHERE sequence > ?", [.integer(backend.cursor)])
            : nil
        guard let sequence = [noted, waiting].compactMap({ $0 }).min(), let row = try records.find(sequence)?.row else {
            return nil
        }
        return records.stamp(of: row, currentBoot: boot)?.time ?? WallTime(sinceEpoch: .nanoseconds(row.time))
    }

    /// Records that were dropped since the outbox was made, and when last.
    public struct Drops: Sendable, Hashable {
        public var recordClass: RecordClass
        public var reason: DropReason
        public var records: Int
        public var last: WallTime
    }

    public func drops() throws -> [Drops] {
        var drops: [Drops] = []
        try records.database.query("SELECT class, reason, records, last FROM drops ORDER BY class, reason") { row in
            guard let recordClass = RecordClass(rawValue: row.integer(0)),
                let reason = DropReason(rawValue: row.text(1))
            else { return }
            drops.append(
                Drops(
                    recordClass: recordClass, reason: reason, records: Int(row.integer(2)),
                    last: WallTime(sinceEpoch: .nanoseconds(row.integer(3)))))
        }
        return drops
    }
}
