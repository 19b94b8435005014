internal import DeviceRuntime

extension OutboxStorage {
    struct Batch: Sendable {
        var insertions: [Insertion] = []
        /// One for each backend at most.
        var settlements: [Settlement] = []
        /// Files that nobody wants any more.
        var garbage: [String] = []
        /// What to add to the time since boot to get calendar time, once that is known.
        var clockOffset: Int64?
        /// What memory could not hold.
        var drops: [Drop: Int] = [:]
        /// The time, if the clock is right.
        var now: WallTime?

        mutating func add(_ settlement: Settlement) {
            if let index = settlements.firstIndex(where: { $0.backend == settlement.backend }) {
                settlements[index].add(settlement)
            } else {
                settlements.append(settlement)
            }
        }
    }

    struct Outcome: Sendable {
        /// In the order of the insertions; empty when they were not committed.
        var results: [Result<RecordID, OutboxError>] = []
        var isSettled = false
        var error: String?
    }

    /// Writes a batch in one transaction. On an error what was given is tried again later; `batch` then knows which
    /// numbers are given and which files are in the spool already.
    func write(_ batch: inout Batch) -> Outcome {
        for path in batch.garbage { try? Files.remove(path) }
        batch.garbage = []
        var outcome = Outcome()
        do {
            // New records wait until there is space for more than them.
            if !batch.insertions.isEmpty { try reserve.take() }
            try recovering { try commit(&batch, &outcome) }
        } catch {
            outcome = Outcome(isSettled: batch.settlements.isEmpty, error: "\(error)")
            // Records cannot be added, but those that were delivered can go and make room.
            if !batch.settlements.isEmpty { try? settle(batch.settlements, &outcome) }
        }
        // What was taken from the reserve comes back from the log.
        if reserve.isMissing { try? records.checkpoint() }
        return outcome
    }

    private func settle(_ settlements: [Settlement], _ outcome: inout Outcome) throws {
        var batch = Batch(settlements: settlements)
        do {
            try withReserve { try commit(&batch, &outcome) }
        } catch let error where error.isLackOfSpace {
            // Without receipts less is known to `perch verify`, but nothing more is written than is deleted.
            for index in batch.settlements.indices { batch.settlements[index].receipts = [] }
            try commit(&batch, &outcome)
        }
    }

    private func commit(_ batch: inout Batch, _ outcome: inout Outcome) throws {
        try takePayloads(&batch.insertions)
        try prepare()
        var next = state
        if !isMarked {
            // After a crash or a power cut the file may have gone back in time (a card that lied about a flush, a
            // log that was lost), and would give names a second time that a backend has seen.
            next.runs += 1
            if !state.isClean {
                next.identity = description.identity.map { "\($0)-\(next.runs)" } ?? Self.randomIdentity()
            }
            next.isClean = false
        }
        var ledger = ledger
        for (drop, count) in batch.drops { ledger.drop(count, drop.recordClass, drop.reason) }
        var rows: [RecordRow] = []
        var refused: Set<Int64> = []
        var removed: [RemovedRecord] = []
        if try !isMarked || needsDisk(batch) {
            try diskFault?.check(batch)
            try records.transaction {
                if !isMarked { try records.database.put(next) }
                var boot = try records.boot(named: description.boot)
                if let offset = batch.clockOffset, boot.offset == nil {
                    boot.offset = offset
                    try records.put(boot)
                }
                for settlement in batch.settlements { removed += try records.settle(settlement) }
                ledger.remove(removed)
                if let now = batch.now, isExpiryDue(now) { removed += try expire(at: now, &ledger) }
                rows = number(&batch.insertions, identity: next.identity, boot: boot)
                for row in rows where row.recordClass != .diagnostic {
                    if try makeRoom(for: row, &ledger, &removed) {
                        try records.insert(row)
                        ledger.add(row)
                    } else {
                        refused.insert(row.sequence)
                        ledger.drop(1, row.recordClass, .refused)
                    }
                }
                try records.count(
                    ledger.drops, at: batch.insertions.last?.time ?? batch.now ?? WallTime(sinceEpoch: .zero))
            }
            report(ledger.drops)
            ledger.drops = [:]
        } else {
            rows = number(&batch.insertions, identity: next.identity, boot: try records.boot(named: description.boot))
        }
        state = next
        self.ledger = ledger
        keepDiagnostics(rows, batch.settlements)
        outcome.results = rows.map { row in
            if refused.contains(row.sequence) { return .failure(fullError(row.recordClass)) }
            return .success(RecordID(device: row.device, identity: row.identity, sequence: row.sequence))
        }
        outcome.isSettled = true
        uncommitted.subtract(rows.compactMap(\.file))
        let unwanted = rows.filter { refused.contains($0.sequence) }.map(\.file) + removed.map(\.file)
        for case let file? in unwanted { try? spool.remove(file) }
        if !isMarked {
            isMarked = true
            // From here on a lost log is noticed at the next start.
            try? records.checkpoint()
        }
        if !removed.isEmpty { try? records.shrink(isUrgent: reserve.isMissing) }
    }

    /// Adds the new ones, and lets those go that every backend is past.
    private func keepDiagnostics(_ rows: [RecordRow], _ settlements: [Settlement]) {
        for row in rows where row.recordClass == .diagnostic {
            ledger.drop(diagnostics.add(row).count, .diagnostic, .oldest)
        }
        for settlement in settlements {
            positions[settlement.backend] = max(positions[settlement.backend] ?? 0, settlement.cursor)
        }
        diagnostics.removePassed(description.backends.map { positions[$0] ?? 0 }.min() ?? 0)
    }

    private func fullError(_ recordClass: RecordClass) -> OutboxError {
        OutboxError(
            "the outbox in \(directory) is full of \(recordClass.plural)",
            advice: "they may take \(description.settings[recordClass].bytes) bytes: see outbox in the configuration")
    }

    private func isExpiryDue(_ now: WallTime) -> Bool {
        description.settings.expiryInterval != nil && now.sinceEpoch >= nextExpiry
    }

    /// Diagnostics and what becomes of them cost no flash.
    private func needsDisk(_ batch: Batch) throws -> Bool {
        try batch.clockOffset != nil || batch.now.map(isExpiryDue) == true
            || batch.drops.contains { $0.key.recordClass != .diagnostic }
            || batch.insertions.contains { $0.capture.recordClass != .diagnostic }
            || batch.settlements.contains { try records.concernsRows($0) }
    }

    /// Gives each insertion a number, unless an earlier try has, and makes its row.
    private func number(_ insertions: inout [Insertion], identity: String, boot: BootRow) -> [RecordRow] {
        insertions.indices.map { index in
            let sequence = insertions[index].sequence ?? lastSequence + 1
            lastSequence = max(lastSequence, sequence)
            insertions[index].sequence = sequence
            let insertion = insertions[index]
            return RecordRow(
                sequence: sequence, device: description.device, identity: identity, part: insertion.capture.part,
                event: insertion.capture.event, recordClass: insertion.capture.recordClass,
                monotonic: insertion.monotonic, boot: boot.id, time: insertion.time.sinceEpoch.nanoseconds,
                clock: insertion.isClockRight ? .right : .unknown,
                fields: JSONText(insertion.capture.fields).description, file: insertion.payload?.file,
                mediaType: insertion.payload?.mediaType, size: Int64(insertion.payload?.size ?? 0))
        }
    }

    private func takePayloads(_ insertions: inout [Insertion]) throws {
        var hasMoved = false
        for index in insertions.indices {
            guard insertions[index].payload == nil, let payload = insertions[index].capture.payload else { continue }
            let taken = try spool.take(payload)
            insertions[index].payload = taken
            if let file = taken.file {
                uncommitted.insert(file)
                hasMoved = true
            } else {
                reportLost(payload.path)
            }
        }
        if hasMoved { try spool.sync() }
    }
}
