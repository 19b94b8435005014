internal import CSQLite
internal import DeviceRuntime

/// The outbox's tables: the records, and what each backend has yet to get of them.
///
/// Unchecked, like ``Database``: used from one thread at a time.
final class RecordDatabase: @unchecked Sendable {
    /// Of the tables' layout. A file with another one is not ours to change.
    private static let version: Int64 = 1

    let database: Database

    private init(_ database: Database) { self.database = database }

    /// Makes the file, which appears under its name only when it is complete.
    static func create(_ path: String, identity: String, lastSequence: Int64) throws {
        let unfinished = "\(path).new"
        for suffix in ["", "-wal", "-shm"] { try Files.remove(unfinished + suffix) }
        do {
            let database = try Database(unfinished, .create)
            // 1 KiB: half of what 4 KiB pages write to the flash for a small record (docs/storage.md).
            for pragma in ["page_size = 1024", "auto_vacuum = INCREMENTAL", "journal_mode = WAL"] {
                try database.run("PRAGMA \(pragma)")
            }
            try database.transaction {
                for table in tables { try database.run(table) }
                try database.run("INSERT INTO outbox VALUES (?, 0, 1)", [.text(identity)])
                try database.run("INSERT INTO sqlite_sequence VALUES ('records', ?)", [.integer(lastSequence)])
                try database.run("PRAGMA user_version = \(version)")
            }
        }
        try Files.sync(unfinished)
        try Files.rename(unfinished, to: path)
        try Files.sync(Files.parent(of: path))
    }

    private static let tables = [
        // One row. `runs` counts the starts that wrote something; `clean` says that the last one closed the file.
        "CREATE TABLE outbox (identity TEXT NOT NULL, runs INTEGER NOT NULL, clean INTEGER NOT NULL) STRICT",
        """
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, device TEXT NOT NULL, identity TEXT NOT NULL,
            part TEXT NOT NULL, event TEXT NOT NULL, monotonic INTEGER NOT NULL, boot TEXT NOT NULL,
            time TEXT NOT NULL, fields TEXT NOT NULL,
            file TEXT, media_type TEXT NOT NULL, size INTEGER NOT NULL, lost INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX files ON records (file) WHERE file IS NOT NULL",
        """
        CREATE TABLE deliveries (
            sequence INTEGER NOT NULL, backend TEXT NOT NULL, attempts INTEGER NOT NULL, error TEXT,
            rejected INTEGER NOT NULL, PRIMARY KEY (sequence, backend)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Opens a file that ``create(_:identity:lastSequence:)`` has made, and looks through it for damage.
    static func open(_ path: String) throws -> RecordDatabase {
        let database = try Database(path, .readWrite)
        guard try database.integer("PRAGMA user_version") == version else {
            throw DatabaseError(code: SQLITE_CORRUPT, message: "not an outbox of this version")
        }
        // Each commit is on the disk when it returns.
        try database.run("PRAGMA synchronous = FULL")
        var findings: [String] = []
        try database.query("PRAGMA quick_check(1)") { findings.append($0.text(0)) }
        guard findings == ["ok"] else {
            throw DatabaseError(code: SQLITE_CORRUPT, message: findings.first ?? "unreadable")
        }
        let tables = try database.integer("SELECT count(*) FROM outbox, sqlite_sequence WHERE name = 'records'")
        guard tables == 1 else { throw DatabaseError(code: SQLITE_CORRUPT, message: "incomplete") }
        return RecordDatabase(database)
    }

    /// Stands where a file was closed for good.
    static func closed() throws -> RecordDatabase { RecordDatabase(try Database(":memory:", .create)) }

    // MARK: Runs

    struct State {
        var identity: String
        var runs: Int64
        var isClean: Bool
    }

    func state() throws -> State {
        var state = State(identity: "", runs: 0, isClean: false)
        try database.query("SELECT identity, runs, clean FROM outbox") { row in
            state = State(identity: row.text(0), runs: row.integer(1), isClean: row.integer(2) == 1)
        }
        return state
    }

    func setState(_ state: State) throws {
        try database.run(
            "UPDATE outbox SET identity = ?, runs = ?, clean = ?",
            [.text(state.identity), .integer(state.runs), .integer(state.isClean ? 1 : 0)])
    }

    func lastSequence() throws -> Int64 {
        try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'records'") ?? 0
    }

    // MARK: Start

    func hasFile(_ name: String) throws -> Bool {
        try database.integer("SELECT 1 FROM records WHERE file = ?", [.text(name)]) != nil
    }

    /// Records that no backend is to get wait for ever; that can only be damage, so all get them (again).
    func adoptOrphans(_ backends: [String]) throws {
        guard !backends.isEmpty else { return }
        let names = Array(repeating: "SELECT ? AS backend", count: backends.count).joined(separator: " UNION ALL ")
        try database.run(
            """
            INSERT INTO deliveries SELECT sequence, backend, 0, NULL, 0 FROM records, (\(names))
            WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.sequence = records.sequence)
            """, backends.map { .text($0) })
    }

    /// How many records each backend has yet to get, those that it rejected included.
    func backlog() throws -> [(backend: String, records: Int)] {
        var backlog: [(backend: String, records: Int)] = []
        try database.query("SELECT backend, count(*) FROM deliveries GROUP BY backend ORDER BY backend") {
            backlog.append((backend: $0.text(0), records: Int($0.integer(1))))
        }
        return backlog
    }

    // MARK: Space

    /// Writes the log back into the file, so that what was committed no longer depends on the log.
    func checkpoint() throws { try database.run("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Gives the space of a long outage's backlog back, when there is some and nothing else to do.
    func shrink() throws {
        // 4 MiB: below that the pages are better kept for reuse.
        guard try database.integer("PRAGMA freelist_count") ?? 0 > 4096 else { return }
        try database.run("PRAGMA incremental_vacuum")
        try checkpoint()
    }
}
