internal import DeviceRuntime
internal import Glibc

/// The outbox on disk: database and spool together. All of it blocks.
///
/// Unchecked: after it is opened, everything happens on the outbox's thread.
final class OutboxStorage: @unchecked Sendable {
    /// What an outbox is opened with.
    struct Description: Sendable {
        let directory: String
        /// The board's name, with which its objects' names begin.
        let device: String
        /// The names of those that each record is for.
        let backends: [String]
        let settings: OutboxSettings
        /// Given where runs have to be repeatable; otherwise random.
        let identity: String?
        let boot: String
    }

    let description: Description
    let spool: PayloadSpool
    let reserve: SpaceReserve
    let logger: Logger
    /// Held for as long as the outbox is open: the file of a running daemon is not for a second one.
    private let lock: FileDescriptor
    var records: RecordDatabase
    var state: OutboxRow
    /// Whether this run has written anything.
    var isMarked = false
    /// Whether the table of backends says what the configuration says.
    private(set) var isPrepared = false
    /// The last number that was given.
    var lastSequence: Int64
    /// Files that are in the spool and whose records are not committed yet.
    var uncommitted: Set<String> = []
    var diagnostics: DiagnosticRing
    var ledger = Ledger()
    /// What was dropped in this run.
    var dropped: [Drop: Int] = [:]
    /// When ages are looked at again, since 1970.
    var nextExpiry = Duration.zero
    /// Whether an earlier run in this boot did not know the time.
    let isClockWanted: Bool
    /// Whether an earlier run in this boot knew the time: the clock was right then, and still is.
    let isClockKnown: Bool
    /// How far each backend is, diagnostics included.
    var positions: [String: Int64] = [:]
    private(set) var lostPayloads = 0
    /// What a simulation does to the disk.
    var diskFault: DiskFault?
    /// Records whose missing file was told of.
    var lostFiles: Set<Int64> = []

    var directory: String { description.directory }

    /// Throws ``OutboxError``.
    init(_ description: Description, logger: Logger) throws {
        self.description = description
        self.logger = logger
        spool = PayloadSpool(directory: description.directory)
        diagnostics = DiagnosticRing(bytes: description.settings.diagnostics.bytes)
        do {
            try Files.makeDirectory(description.directory)
            guard let lock = try PayloadSpool.lock(description.directory) else {
                throw OutboxError(
                    "the records in \(description.directory) are in use by another perch",
                    advice: "stop that one, or name another directory")
            }
            self.lock = lock
            reserve = try SpaceReserve(directory: description.directory)
            try spool.open()
            try spool.clearIncoming()
            records = try Self.open(description, logger: logger)
            try records.limitLog(reserve.logBytes)
            state = try records.state()
            lastSequence = try records.lastSequence()
            ledger = Ledger(try records.totals())
            let boot = records.boots.values.first { $0.boot == description.boot }
            isClockKnown = boot?.offset != nil
            isClockWanted = boot != nil && boot?.offset == nil
            if !state.isClean {
                logger.notice(
                    "the outbox was not closed; it goes on under a new identity", ["last record": "\(lastSequence)"])
            }
            try recovering {
                do {
                    try tidy()
                } catch let error as DatabaseError where error.isDamage {
                    throw error
                } catch {
                    // A full disk, say. What is left over hurts nobody until the next start.
                    logger.warning("the outbox could not be tidied", ["error": "\(error)"])
                }
            }
        } catch let error as OutboxError {
            throw error
        } catch {
            throw OutboxError(
                "cannot keep records in \(description.directory): \(error)",
                advice: "it needs free space and must belong to the user that runs perch", isPassing: Self.passes(error)
            )
        }
    }

    /// Whether an error is about the disk rather than about who may use it.
    private static func passes(_ error: any Error) -> Bool {
        if let error = error as? SystemError { return [ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) }
        return error is DatabaseError
    }

    /// Removes files without a record, and tells of records for a backend that is not there.
    private func tidy() throws {
        let orphans = try spool.removeFiles { try records.hasFile($0) }
        if orphans > 0 { logger.info("removed files of records that were never accepted", ["files": "\(orphans)"]) }
        try prepare()
        for (backend, count) in try records.backlog() where !backend.isActive && count > 0 {
            logger.warning(
                "records wait for a backend that is not in the configuration",
                ["backend": backend.name, "records": "\(count)"])
        }
    }

    /// Makes the table of backends say what the configuration says. At the start, or as soon as the disk takes it.
    func prepare() throws {
        guard !isPrepared else { return }
        var adopted = 0
        try records.transaction {
            try records.removeBoots(except: description.boot)
            try records.setBackends(description.backends, lastSequence: lastSequence)
            adopted = try records.adoptOrphans()
        }
        isPrepared = true
        if adopted > 0 {
            logger.warning("records were found that no backend is noted for; all get them", ["records": "\(adopted)"])
        }
    }

    /// Runs `body`; if the disk is full, it has a second chance with the space that was reserved.
    func withReserve<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error where error.isLackOfSpace {
            reserve.release()
            try? records.checkpoint()
            return try body()
        }
    }

    /// Runs `body`; if the file turns out to be damaged, it is replaced and `body` has a second chance.
    func recovering<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError where error.isDamage {
            try replaceDamaged(cause: "\(error)")
            return try body()
        }
    }

    /// Goes on with a fresh file, which has what could be read of the damaged one. Numbers go on, so that who reads
    /// in order of them misses nothing.
    private func replaceDamaged(cause: String) throws {
        let recovery = Recovery(description, logger: logger)
        try recovery.rebuild(lastSequence: lastSequence)
        // Before the new one takes its name: the connection writes to its files when it is closed.
        records = try RecordDatabase.closed()
        records = try recovery.replace(cause: cause, keeping: uncommitted)
        try records.limitLog(reserve.logBytes)
        state = try records.state()
        lastSequence = max(lastSequence, try records.lastSequence())
        ledger = Ledger(try records.totals())
        isMarked = false
        isPrepared = false
        try prepare()
    }

    func reportLost(_ path: String) {
        lostPayloads += 1
        // Once at 1, 10, 100 …: a directory that somebody emptied must not fill the log.
        if isPowerOfTen(lostPayloads) {
            logger.error(
                "a record's file is missing or cut short; the record goes on without it",
                ["file": path, "lost so far": "\(lostPayloads)"])
        }
    }

    /// Marks the file as complete, and lets the next one in: a start that does not find this mark takes a new
    /// identity.
    func close() {
        defer { lock.close() }
        guard isMarked else { return }
        state.isClean = true
        state.lastSequence = lastSequence
        do {
            try records.database.put(state)
            try records.checkpoint()
        } catch {
            logger.warning("the outbox was not closed cleanly", ["error": "\(error)"])
        }
        isMarked = false
    }
}

/// Whether a count that only grows is worth a line in the log.
func isPowerOfTen(_ count: Int) -> Bool {
    var power = 1
    while power < count { power *= 10 }
    return power == count
}
