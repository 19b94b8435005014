internal import DeviceRuntime

/// The outbox's tables: the records, and what each backend has yet to get of them.
///
/// Unchecked, like ``Database``: used from one thread at a time.
final class RecordDatabase: @unchecked Sendable {
    /// Of the tables' layout.
    static let version: Int64 = 2

    let database: Database
    /// By their numbers; few, and never changed by another process.
    var boots: [Int64: BootRow] = [:]
    /// By name; no other process changes their cursors.
    var backends: [String: BackendRow] = [:]

    init(_ database: Database) { self.database = database }

    /// Makes the file, which appears under its name only when it is complete.
    static func create(_ path: String, identity: String, lastSequence: Int64) throws {
        try create(path, as: ".new", identity: identity, lastSequence: lastSequence)
        try Files.rename("\(path).new", to: path)
        try Files.sync(Files.parent(of: path))
    }

    /// Makes the file under its name with a suffix.
    static func create(_ path: String, as suffix: String, identity: String, lastSequence: Int64) throws {
        let unfinished = path + suffix
        for suffix in ["", "-wal", "-shm"] { try Files.remove(unfinished + suffix) }
        do {
            let database = try Database(unfinished, .create)
            // 1 KiB: half of what 4 KiB pages write to the flash for a small record (docs/storage.md).
            for pragma in ["page_size = 1024", "journal_mode = WAL"] { try database.run("PRAGMA \(pragma)") }
            try database.transaction {
                for table in tables { try database.run(table) }
                try database.put(OutboxRow(identity: identity, runs: 0, isClean: true, lastSequence: lastSequence))
                try database.run("PRAGMA user_version = \(version)")
            }
        }
        try Files.sync(unfinished)
    }

    static let tables = [
        """
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY, identity TEXT NOT NULL, runs INTEGER NOT NULL, clean INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE boots (
            id INTEGER PRIMARY KEY, boot TEXT NOT NULL UNIQUE, offset INTEGER, estimated INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY, device TEXT NOT NULL, identity TEXT NOT NULL, part TEXT NOT NULL,
            event TEXT NOT NULL, class INTEGER NOT NULL, monotonic INTEGER NOT NULL, boot INTEGER NOT NULL,
            time INTEGER NOT NULL, clock INTEGER NOT NULL, fields TEXT NOT NULL, file TEXT, media_type TEXT,
            size INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX files ON records (file) WHERE file IS NOT NULL",
        """
        CREATE TABLE backends (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cursor INTEGER NOT NULL, active INTEGER NOT NULL,
            failing_since INTEGER, failure TEXT, checksum INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE notes (
            sequence INTEGER NOT NULL, backend INTEGER NOT NULL, content INTEGER NOT NULL, attempts INTEGER NOT NULL,
            error TEXT, rejected INTEGER NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (sequence, backend)
        ) STRICT, WITHOUT ROWID
        """,
        // What was dropped, by class and reason.
        """
        CREATE TABLE drops (
            class INTEGER NOT NULL, reason TEXT NOT NULL, records INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY (class, reason)
        ) STRICT, WITHOUT ROWID
        """,
        // The newest deliveries of each backend, in a ring.
        """
        CREATE TABLE receipts (
            backend INTEGER NOT NULL, slot INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
            PRIMARY KEY (backend, slot)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// How long a start may look for damage. What a large file has beyond that shows when it is read.
    private static let checkingTime = Duration.seconds(5)

    /// Opens a file that this or an earlier version has made, and looks through it for damage.
    static func open(_ path: String) throws -> RecordDatabase {
        let database = try Database(path, .readWrite)
        let version = try database.integer("PRAGMA user_version")
        guard let version, (1...Self.version).contains(version) else {
            throw DatabaseError.damage("not an outbox of a version that is known here")
        }
        // Each commit is on the disk when it returns.
        try database.run("PRAGMA synchronous = FULL")
        // What a statement may have to undo is kept in small pieces: otherwise each deletion takes 64 KB from the system
        // and gives them back, and a disk that is full has no room for a temporary file.
        try database.run("PRAGMA temp_store = MEMORY")
        try check(database)
        if version == 1 { try migrate(database) }
        guard try layout(of: database) == expectedLayout() else {
            throw DatabaseError.damage("its tables are not those of an outbox")
        }
        let records = RecordDatabase(database)
        try records.readState()
        return records
    }

    private static func check(_ database: Database) throws {
        let deadline = EventLoop.monotonicNow() + checkingTime
        var findings: [String] = []
        do {
            try database.interrupting(when: { EventLoop.monotonicNow() > deadline }) {
                try database.query("PRAGMA quick_check(1)") { findings.append($0.text(0)) }
            }
        } catch let error as DatabaseError where error.isInterruption {
            return
        }
        guard findings == ["ok"] else { throw DatabaseError.damage(findings.first ?? "unreadable") }
    }

    /// Each column of each table. SQLite itself does not notice that a flipped bit has given one another name: only what
    /// asks for it fails, and would fail for ever.
    private static func layout(of database: Database) throws -> [String] {
        var columns: [String] = []
        try database.query(
            """
            SELECT tables.name || '.' || columns.name || ' ' || columns.type || columns."notnull" || columns.pk
            FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' ORDER BY 1
            """
        ) { columns.append($0.text(0)) }
        return columns
    }

    private static func expectedLayout() throws -> [String] {
        let model = try Database(":memory:", .create)
        for table in tables { try model.run(table) }
        return try layout(of: model)
    }

    /// Stands where a file was closed for good.
    static func closed() throws -> RecordDatabase { RecordDatabase(try Database(":memory:", .create)) }

    /// Runs `body` in a transaction: what is remembered of the small tables also comes back if it throws.
    func transaction(_ body: () throws -> Void) throws {
        let (knownBoots, knownBackends) = (boots, backends)
        do {
            try database.transaction(body)
        } catch {
            (boots, backends) = (knownBoots, knownBackends)
            throw error
        }
    }

    // MARK: Space

    /// Writes the log back into the file, so that what was committed no longer depends on the log.
    func checkpoint() throws { try database.run("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Puts the log's content into the file whenever it has so many bytes.
    func limitLog(_ bytes: Int) throws { try database.run("PRAGMA wal_autocheckpoint = \(max(1, bytes / 1024))") }

    /// Gives the space of a long outage's backlog back, once little of it is left: the file is written anew. With
    /// `isUrgent` also when it is not much, because the disk is full.
    func shrink(isUrgent: Bool) throws {
        let free = try database.integer("PRAGMA freelist_count") ?? 0
        guard let pages = try database.integer("PRAGMA page_count") else { return }
        // 4 MiB of free pages: below that they are better kept for reuse. And four times what is in use, which goes
        // through memory.
        guard free > (isUrgent ? 32 : 4096), pages - free < min(free / (isUrgent ? 1 : 4), 4096) else { return }
        try database.run("PRAGMA temp_store = MEMORY")
        // A file that version 1 has made keeps a map of its pages otherwise, at the price of more writing.
        try database.run("PRAGMA auto_vacuum = NONE")
        try database.run("VACUUM")
        try checkpoint()
    }
}
