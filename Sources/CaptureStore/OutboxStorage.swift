internal import DeviceRuntime
internal import Glibc

/// The outbox on disk: database and spool together. All of it blocks.
///
/// Unchecked: after it is opened, everything happens on the outbox's thread.
final class OutboxStorage: @unchecked Sendable {
    let directory: String
    let device: String
    let backends: [String]
    let spool: PayloadSpool
    private let givenIdentity: String?
    private let logger: Logger
    /// Held for as long as the outbox is open: the file of a running daemon is not for a second one.
    private let lock: FileDescriptor
    private(set) var records: RecordDatabase
    private var state: RecordDatabase.State
    /// Whether this run has written anything.
    private var isMarked = false
    private(set) var lastSequence: Int64
    private(set) var lostPayloads = 0
    /// Distinguishes this run's payload files from those of all others.
    let run: Int64

    init(directory: String, device: String, backends: [String], identity: String?, logger: Logger) throws {
        self.directory = directory
        self.device = device
        self.backends = backends
        self.logger = logger
        givenIdentity = identity
        spool = PayloadSpool(directory: directory)
        do {
            try Files.makeDirectory(directory)
            lock = try Self.lock(directory)
            try spool.open()
            try spool.clearIncoming()
            records = try Self.open(directory, identity: identity, logger: logger)
            state = try records.state()
            lastSequence = try records.lastSequence()
            run = state.runs + 1
            do {
                try tidy()
            } catch let error as DatabaseError where error.isDamage {
                _ = try replaceDamaged(error)
            } catch {
                // A full disk, say. What is left over hurts nobody until the next start.
                logger.warning("the outbox could not be tidied", ["error": "\(error)"])
            }
        } catch let error as OutboxError {
            throw error
        } catch {
            throw OutboxError(
                "cannot keep records in \(directory): \(error)",
                advice: "it needs free space and must belong to the user that runs perch")
        }
    }

    private static func lock(_ directory: String) throws -> FileDescriptor {
        let descriptor = try FileDescriptor(opening: "\(directory)/lock", flags: O_RDWR | O_CREAT)
        do {
            try descriptor.lock()
        } catch let error as SystemError where error.code == EWOULDBLOCK {
            throw OutboxError(
                "the records in \(directory) are in use by another perch",
                advice: "stop that one, or name another directory")
        }
        return descriptor
    }

    /// Removes files without a record, and tells of records for a backend that is not there.
    private func tidy() throws {
        let orphans = try spool.removeFiles { try records.hasFile($0) }
        if orphans > 0 { logger.info("removed files of records that were never accepted", ["files": "\(orphans)"]) }
        try records.adoptOrphans(backends)
        for (backend, count) in try records.backlog() where !backends.contains(backend) {
            logger.warning(
                "records wait for a backend that is not in the configuration",
                ["backend": backend, "records": "\(count)"])
        }
    }

    // MARK: Writing

    struct Batch: Sendable {
        var insertions: [Insertion] = []
        var settlements: [Settlement] = []
        /// Files that nobody wants any more.
        var garbage: [String] = []
    }

    struct Outcome: Sendable {
        /// In the order of the insertions; empty when they were not committed.
        var accepted: [RecordID] = []
        var isSettled = false
        var error: String?
    }

    /// Writes a batch in one transaction. On an error what was given is tried again later; `batch` then
    /// knows which files are in the spool already.
    func write(_ batch: inout Batch) -> Outcome {
        for path in batch.garbage { try? Files.remove(path) }
        batch.garbage = []
        var outcome = Outcome()
        do {
            do {
                try commit(&batch, &outcome)
            } catch let error as DatabaseError where error.isDamage {
                let aside = try replaceDamaged(error)
                for case let payload? in batch.insertions.map(\.payload) where !payload.isLost {
                    try Files.rename("\(aside)/spool/\(payload.file)", to: "\(spool.spool)/\(payload.file)")
                }
                try spool.sync()
                try commit(&batch, &outcome)
            }
        } catch {
            outcome = Outcome(error: "\(error)")
            // On a full disk records cannot be added, but those that were delivered can go and make room.
            var settlements = Batch(settlements: batch.settlements)
            if !batch.insertions.isEmpty && !batch.settlements.isEmpty { try? commit(&settlements, &outcome) }
        }
        return outcome
    }

    private func commit(_ batch: inout Batch, _ outcome: inout Outcome) throws {
        try takePayloads(&batch.insertions)
        var files: [String] = []
        var accepted: [RecordID] = []
        var next = state
        if !isMarked {
            // After a crash or a power cut the file may have gone back in time (a card that lied about a
            // flush, a log that was lost), and would give names a second time that a backend has seen.
            if !state.isClean { next.identity = givenIdentity.map { "\($0)-\(run)" } ?? Self.randomIdentity() }
            next.runs = run
            next.isClean = false
        }
        try records.database.transaction {
            if !isMarked { try records.setState(next) }
            for settlement in batch.settlements {
                if let file = try records.settle(settlement) { files.append(file) }
            }
            for insertion in batch.insertions {
                accepted.append(
                    try records.insert(insertion, device: device, identity: next.identity, backends: backends))
            }
        }
        state = next
        lastSequence = accepted.last?.sequence ?? lastSequence
        outcome.accepted = accepted
        outcome.isSettled = true
        for file in files { try? spool.remove(file) }
        if !isMarked {
            isMarked = true
            // From here on a lost log is noticed at the next start.
            try? records.checkpoint()
        }
        if !batch.settlements.isEmpty { try? records.shrink() }
    }

    private func takePayloads(_ insertions: inout [Insertion]) throws {
        var hasMoved = false
        for index in insertions.indices {
            guard insertions[index].payload == nil, let payload = insertions[index].capture.payload else { continue }
            let taken = try spool.take(payload)
            insertions[index].payload = taken
            if taken.isLost { reportLost(payload.path) } else { hasMoved = true }
        }
        if hasMoved { try spool.sync() }
    }

    // MARK: Reading

    /// The next records for a backend, oldest first; few, however long the backlog.
    func pending(for backend: String, after sequence: Int64) throws -> PendingRecords {
        do {
            return try readPending(for: backend, after: sequence)
        } catch let error as DatabaseError where error.isDamage {
            _ = try replaceDamaged(error)
            return try readPending(for: backend, after: sequence)
        }
    }

    private func readPending(for backend: String, after sequence: Int64) throws -> PendingRecords {
        var found = try records.pending(for: backend, after: sequence, limit: 16)
        for index in found.indices {
            guard let payload = found[index].payload, !payload.isLost, !spool.has(payload.file) else { continue }
            found[index].payload?.isLost = true
            reportLost("\(spool.spool)/\(payload.file)")
            try? records.markPayloadLost(found[index].id.sequence)
        }
        return PendingRecords(records: found, spool: spool.spool, lastSequence: lastSequence)
    }

    private func reportLost(_ path: String) {
        lostPayloads += 1
        // Once at 1, 10, 100 …: a directory that somebody emptied must not fill the log.
        if isPowerOfTen(lostPayloads) {
            logger.error(
                "a record's file is missing; the record goes on without it",
                ["file": path, "missing so far": "\(lostPayloads)"])
        }
    }

    // MARK: Ends

    /// Marks the file as complete, and lets the next one in: a start that does not find this mark takes a new
    /// identity.
    func close() {
        defer { lock.close() }
        guard isMarked else { return }
        state.isClean = true
        do {
            try records.setState(state)
            try records.checkpoint()
        } catch {
            logger.warning("the outbox was not closed cleanly", ["error": "\(error)"])
        }
        isMarked = false
    }

    /// Goes on with a fresh file, and returns where the damaged one is. Numbers go on, so that who reads in
    /// order of them misses nothing.
    private func replaceDamaged(_ error: DatabaseError) throws -> String {
        // The old connection goes first: it would write to the file when it is closed.
        records = try RecordDatabase.closed()
        let aside = try Self.setAside(directory, cause: "\(error)", logger: logger)
        try spool.open()
        records = try Self.create(directory, identity: givenIdentity, lastSequence: lastSequence)
        state = try records.state()
        isMarked = false
        return aside
    }
}

/// What a backend is to get next.
struct PendingRecords: Sendable {
    let records: [Record]
    /// The directory of their files.
    let spool: String
    /// The newest record at that time.
    let lastSequence: Int64
}

/// Whether a count that only grows is worth a line in the log.
func isPowerOfTen(_ count: Int) -> Bool {
    var power = 1
    while power < count { power *= 10 }
    return power == count
}
