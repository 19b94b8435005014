internal import DeviceRuntime

extension OutboxStorage {
    /// Opens the outbox's file, whatever it holds: one that is damaged is set aside and a fresh one begun with what
    /// could be read of it, because a board that no longer captures is worse off than one that has lost a record.
    static func open(_ description: Description, logger: Logger) throws -> RecordDatabase {
        let directory = description.directory
        let path = "\(directory)/outbox.db"
        try adoptUnfinished(path)
        if try Files.size(of: path) != nil {
            let forgotten = (try? forgottenRecords(path)) ?? []
            do {
                let records = try RecordDatabase.open(path)
                try takeBack(forgotten, into: records, logger)
                return records
            } catch let error as DatabaseError where error.isForeignContent {
                return try recover(description, cause: "\(error)", logger: logger)
            }
        }
        if try hasRemains(directory) { return try recover(description, cause: "outbox.db is missing", logger: logger) }
        try RecordDatabase.create(path, identity: description.identity ?? randomIdentity(), lastSequence: 0)
        return try RecordDatabase.open(path)
    }

    private static func recover(_ description: Description, cause: String, logger: Logger) throws -> RecordDatabase {
        let recovery = Recovery(description, logger: logger)
        try recovery.rebuild(lastSequence: 0)
        return try recovery.replace(cause: cause, keeping: [])
    }

    static func randomIdentity() -> String {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// A power cut may come when a damaged file is set aside and its successor has not yet its name.
    private static func adoptUnfinished(_ path: String) throws {
        guard try Files.size(of: path) == nil, try Files.size(of: "\(path).new") != nil,
            (try? RecordDatabase.open("\(path).new")) != nil
        else { return }
        try Files.rename("\(path).new", to: path)
        try Files.sync(Files.parent(of: path))
    }

    /// Up to here a file is looked through for records that its log has lost; a bigger one would keep a start waiting.
    private static let longestSearch = 64 << 20

    /// After a crash: records that lie in the files and that SQLite does not see, because a piece of the log is
    /// missing or damaged. Before a connection opens the file.
    private static func forgottenRecords(_ path: String) throws -> [RecordRow] {
        guard try Files.size(of: path + "-wal") ?? 0 > 0, try Files.size(of: path) ?? 0 <= longestSearch else {
            return []
        }
        return try DamagedOutbox(path).forgottenRecords()
    }

    private static func takeBack(_ forgotten: [RecordRow], into records: RecordDatabase, _ logger: Logger) throws {
        let last = try records.lastSequence()
        let wanted = forgotten.filter { $0.sequence > last }
        guard !wanted.isEmpty else { return }
        do {
            try records.transaction {
                for row in wanted {
                    if records.boots[row.boot] == nil {
                        try records.put(BootRow(id: row.boot, boot: "unknown-\(row.boot)"))
                    }
                    try records.insert(row)
                }
            }
        } catch let error as DatabaseError where !error.isDamage {
            return logger.error("records that the outbox's log has lost cannot be written", ["error": "\(error)"])
        }
        logger.warning(
            "the outbox's log was damaged; records that lay in it are taken back", ["records": "\(wanted.count)"])
    }

    /// Whether a spool or a log is there that a missing file must have left.
    private static func hasRemains(_ directory: String) throws -> Bool {
        if try Files.size(of: "\(directory)/outbox.db-wal") != nil { return true }
        var isEmpty = true
        try Files.forEachEntry(of: PayloadSpool(directory: directory).spool) { _ in isEmpty = false }
        return !isEmpty
    }
}
