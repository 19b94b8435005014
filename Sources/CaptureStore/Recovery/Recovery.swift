internal import DeviceRuntime

/// Replaces a damaged outbox's file by a fresh one that has what can be read of it.
///
/// In this order, so that a power cut at any moment leaves one of the two under its name: the fresh file is filled
/// under another name, the damaged one is set aside, the fresh one takes its place.
final class Recovery {
    private let description: OutboxStorage.Description
    private let logger: Logger
    private var directory: String { description.directory }
    private var path: String { "\(directory)/outbox.db" }

    private var identity = ""
    private var salvaged = 0
    private var damaged = 0

    init(_ description: OutboxStorage.Description, logger: Logger) {
        self.description = description
        self.logger = logger
    }

    /// Makes the fresh file beside the damaged one, which no connection has open.
    func rebuild(lastSequence: Int64) throws {
        let number = try Self.firstUnusedNumber(directory)
        // A given identity is told apart from the one of the file that is set aside.
        identity = description.identity.map { "\($0)-d\(number)" } ?? OutboxStorage.randomIdentity()
        try RecordDatabase.create(path, as: ".new", identity: identity, lastSequence: lastSequence)
        do {
            try fill(RecordDatabase(Database("\(path).new", .readWrite)), lastSequence)
        } catch {
            // A full disk, or a file that cannot be read at all. The damaged one is kept for a person.
            logger.warning("nothing could be read of the damaged outbox", ["error": "\(error)"])
            salvaged = 0
            try RecordDatabase.create(path, as: ".new", identity: identity, lastSequence: lastSequence)
        }
    }

    private func fill(_ records: RecordDatabase, _ lastSequence: Int64) throws {
        guard try Files.size(of: path) != nil else { return }
        let remains = try DamagedOutbox(path)
        var found: Set<Int64> = []
        try records.database.transaction {
            for boot in remains.boots.values { try records.put(boot) }
            for backend in remains.backends.values { try records.put(backend) }
            // One that is not found has lost its place, and gets everything.
            for name in description.backends where records.backends[name] == nil {
                let id = (records.backends.values.map(\.id).max() ?? 0) + 1
                try records.put(BackendRow(id: id, name: name, cursor: 0, isActive: true))
            }
            try remains.forEachRecord { row in
                guard found.insert(row.sequence).inserted else { return }
                if records.boots[row.boot] == nil {
                    try records.put(BootRow(id: row.boot, boot: "unknown-\(row.boot)"))
                }
                try records.insert(row)
            }
            for note in remains.notes where found.contains(note.sequence) { try records.database.put(note) }
            let last = max(lastSequence, remains.lastSequence, found.max() ?? 0)
            try records.database.put(
                OutboxRow(identity: identity, runs: remains.state?.runs ?? 0, isClean: true, lastSequence: last))
        }
        salvaged = found.count
        damaged = try remains.damagedSequences().subtracting(found).count
        try records.checkpoint()
    }

    /// Gives the fresh file its name. Files of the spool that none of its records has go with the damaged one, except
    /// those that are to be kept.
    func replace(cause: String, keeping uncommitted: Set<String>) throws -> RecordDatabase {
        let aside = "\(directory)/damaged-\(try Self.firstUnusedNumber(directory))"
        try Files.makeDirectory("\(aside)/spool")
        for name in ["outbox.db", "outbox.db-wal", "outbox.db-shm"]
        where try Files.size(of: "\(directory)/\(name)") != nil {
            try Files.rename("\(directory)/\(name)", to: "\(aside)/\(name)")
        }
        try Files.rename("\(path).new", to: path)
        try Files.sync(aside)
        try Files.sync(directory)
        let records = try RecordDatabase.open(path)
        let files = try moveFiles(to: aside, records, keeping: uncommitted)
        logger.error(
            "the outbox is damaged and was set aside; a fresh one goes on with the records that could be read",
            [
                "cause": cause, "records that could be read": "\(salvaged)", "records that are damaged": "\(damaged)",
                "files without a record": "\(files)", "kept in": aside,
            ])
        return records
    }

    private func moveFiles(to aside: String, _ records: RecordDatabase, keeping uncommitted: Set<String>) throws -> Int
    {
        let spool = PayloadSpool(directory: directory)
        try spool.open()
        var left: [String] = []
        try Files.forEachEntry(of: spool.spool) { file in
            if try !uncommitted.contains(file) && !records.hasFile(file) { left.append(file) }
        }
        for file in left { try Files.rename("\(spool.spool)/\(file)", to: "\(aside)/spool/\(file)") }
        return left.count
    }

    private static func firstUnusedNumber(_ directory: String) throws -> Int {
        var number = 1
        while try Files.size(of: "\(directory)/damaged-\(number)") != nil { number += 1 }
        return number
    }
}
