internal import DeviceRuntime

/// Looks into an outbox without changing it, also while a daemon writes to it.
public final class OutboxReader {
    /// A record that is on its way.
    public struct Entry: Sendable, Hashable {
        public var id: RecordID
        public var part: String
        public var event: String
        public var time: String
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
    }

    /// What a backend has yet to get.
    public struct Backlog: Sendable, Hashable {
        public var backend: String
        public var pending: Int
        public var rejected: Int
    }

    private let database: Database

    /// Throws ``OutboxError`` when there is no outbox in `directory`, or it cannot be read.
    public init(directory: String) throws {
        let path = "\(directory)/outbox.db"
        do {
            guard try Files.size(of: path) != nil else {
                throw OutboxError("there is no outbox in \(directory)", advice: "it is made when the daemon first runs")
            }
            database = try Database(path, .readOnly)
            _ = try database.integer("SELECT count(*) FROM outbox")
        } catch let error as OutboxError {
            throw error
        } catch {
            throw OutboxError(
                "cannot read the outbox in \(directory): \(error)", advice: "run this as root or as perch's user")
        }
    }

    /// Calls `body` with each record, oldest first, one at a time, however many there are.
    public func forEachEntry(_ body: (Entry) throws -> Void) throws {
        var current: Entry?
        try database.query(
            """
            SELECT sequence, device, identity, part, event, time, file, size, backend, attempts, error, rejected
            FROM records JOIN deliveries USING (sequence) ORDER BY sequence, backend
            """
        ) { row in
            let sequence = row.integer(0)
            if let entry = current, entry.id.sequence != sequence {
                try body(entry)
                current = nil
            }
            var entry =
                current
                ?? Entry(
                    id: RecordID(device: row.text(1), identity: row.text(2), sequence: sequence), part: row.text(3),
                    event: row.text(4), time: row.text(5),
                    payloadSize: row.optionalText(6).map { _ in Int(row.integer(7)) }, deliveries: [])
            entry.deliveries.append(
                Delivery(
                    backend: row.text(8), attempts: Int(row.integer(9)), lastError: row.optionalText(10),
                    isRejected: row.integer(11) == 1))
            current = entry
        }
        if let current { try body(current) }
    }

    /// Counts by backend, in order of name; backends without a backlog are not listed.
    public func backlog() throws -> [Backlog] {
        var backlog: [Backlog] = []
        try database.query(
            "SELECT backend, count(*) - sum(rejected), sum(rejected) FROM deliveries GROUP BY backend ORDER BY backend"
        ) { row in
            backlog.append(
                Backlog(backend: row.text(0), pending: Int(row.integer(1)), rejected: Int(row.integer(2))))
        }
        return backlog
    }
}
