internal import DeviceRuntime

extension UploadStateMachine {
    /// There is a new record.
    mutating func recordsArrived() { records.isExhausted = false }

    /// The clock has become right: records that waited for it have their times.
    mutating func clockLearned() { isHeld = false }

    /// Somebody has changed what is noted, or wants no more waiting.
    mutating func hurry() {
        pausedUntil = .zero
        readFrom = .zero
        documents.hurry()
        files?.hurry()
        notes = Position()
        if files != nil { filePosition = Position() }
    }

    mutating func handle(_ plan: UploadPlan, from source: UploadSource) {
        isReading = false
        let last = plan.items.last?.sequence
        switch source {
        case .notes:
            notes = Position(sequence: last ?? notes.sequence, isExhausted: plan.isEnd)
            documents.add(plan.items.filter { !documents.contains($0.sequence) })
        case .records:
            records = Position(sequence: last ?? records.sequence, isExhausted: plan.isEnd)
            isHeld = plan.isHeld
            documents.add(plan.items)
        case .files:
            filePosition = Position(sequence: last ?? filePosition.sequence, isExhausted: plan.isEnd)
            guard let lane = files else { return }
            files?.add(plan.items.filter { !lane.contains($0.sequence) })
        }
    }

    /// Nothing could be looked up.
    mutating func handleReadFailure(_ error: StorageError, now: Duration) -> [Report] {
        isReading = false
        let reports = pause(error, retryAfter: nil, now: now)
        readFrom = pausedUntil
        return reports
    }

    /// What came of a batch that was sent.
    struct Outcome: Sendable {
        var error: StorageError?
        /// Not sent, since they are not there any more.
        var gone: Set<Int64> = []
        /// Not sent, since they are not what was written.
        var damaged: Set<Int64> = []
        /// Sent, and no file is left to send.
        var fileless: Set<Int64> = []
        var receipts: [Settlement.Receipt] = []
    }

    mutating func handle(_ outcome: Outcome, of batch: UploadBatch, now: Duration) -> [Report] {
        guard let error = outcome.error else { return store(batch, outcome) }
        switch error.kind {
        case .permanent:
            // A server that rejects a record works.
            return blame(batch, error, now: now, isPermanent: true) + succeed()
        case .temporary(let retryAfter):
            let isAlone = batch.reason == .deferred || (batch.reason != .backlog && standing == .works)
            if retryAfter == nil, isAlone, !isFull(batch.share) {
                return blame(batch, error, now: now, isPermanent: false)
            }
            putBack(batch)
            return pause(error, retryAfter: retryAfter, now: now)
        }
    }

    private mutating func succeed() -> [Report] {
        standing = .works
        failures = 0
        guard let outage = outages.succeed() else { return [] }
        settlement.failure = Settlement.Failure(outage: nil)
        return [.outageEnded(outage)]
    }

    private mutating func pause(_ error: StorageError, retryAfter: Duration?, now: Duration) -> [Report] {
        standing = .fails
        // What else was under way when it began is not another failure.
        if pausedUntil <= now { failures += 1 }
        pausedUntil = max(pausedUntil, now + backoff.pause(failures: max(1, failures), retryAfter: retryAfter))
        return outages.fail(now: now) ? [.outageBegan(error)] : []
    }

    private mutating func store(_ batch: UploadBatch, _ outcome: Outcome) -> [Report] {
        var reports: [Report] = []
        if batch.share == .file { _ = files?.stored(batch.id) } else { _ = documents.stored(batch.id) }
        settlement.receipts += outcome.receipts
        for item in batch.items {
            if outcome.damaged.contains(item.sequence) {
                reports += reject(item, batch.share, "its row on the board's disk is damaged")
            } else if batch.share == .document, item.fileSize != nil, !outcome.gone.contains(item.sequence),
                !outcome.fileless.contains(item.sequence)
            {
                note(item, .file, attempts: 0, error: nil)
                addFile(item)
            } else if item.isNoted {
                settlement.done.append(item.sequence)
            }
        }
        let isTold = outcome.gone.count + outcome.damaged.count == batch.items.count
        // Nothing was sent: that says nothing about the backend.
        return reports + (isTold ? [] : succeed())
    }

    private mutating func addFile(_ item: UploadItem) {
        var item = item
        item.isNoted = true
        item.attempts = 0
        if filePosition.isExhausted, let lane = files, lane.room > 0 {
            files?.add([item])
            filePosition.sequence = max(filePosition.sequence, item.sequence)
        } else {
            filePosition = Position(sequence: min(filePosition.sequence, item.sequence - 1))
        }
    }

    private mutating func blame(
        _ batch: UploadBatch, _ error: StorageError, now: Duration, isPermanent: Bool
    ) -> [Report] {
        let verdict = batch.share == .file ? files?.blame(batch.id) : documents.blame(batch.id)
        guard case .culprit(var item) = verdict else { return [] }
        if isPermanent { return reject(item, batch.share, error.description) }
        item.attempts += 1
        let content: NoteRow.Content = batch.share == .file ? .file : .everything
        note(item, content, attempts: item.attempts, error: error.description)
        if item.isDurable { item.isNoted = true }
        let due = now + ownBackoff.pause(failures: item.attempts)
        if batch.share == .file { files?.defer(item, until: due) } else { documents.defer(item, until: due) }
        deferrals += item.attempts == 1 ? 1 : 0
        guard item.attempts == 1, isPowerOfTen(deferrals) else { return [] }
        return [.deferred(item.sequence, reason: error.description)]
    }

    private mutating func reject(_ item: UploadItem, _ share: Record.Share, _ reason: String) -> [Report] {
        note(item, share == .file ? .file : .everything, attempts: item.attempts + 1, error: reason, isRejected: true)
        rejections += 1
        return isPowerOfTen(rejections) ? [.rejected(item.sequence, reason: reason)] : []
    }

    private mutating func note(
        _ item: UploadItem, _ content: NoteRow.Content, attempts: Int, error: String?, isRejected: Bool = false
    ) {
        guard item.isDurable else { return }
        settlement.notes.append(
            Settlement.Note(
                sequence: item.sequence, content: content, attempts: attempts, error: error, isRejected: isRejected))
    }

    private func isFull(_ share: Record.Share) -> Bool { share == .file ? files?.isFull ?? true : documents.isFull }

    private mutating func putBack(_ batch: UploadBatch) {
        if batch.share == .file { files?.putBack(batch.id) } else { documents.putBack(batch.id) }
    }

    /// What has come of tries since the last call; `nil` if there is nothing new.
    mutating func takeSettlement() -> Settlement? {
        settlement.cursor = max(settledCursor, documents.firstUnsettled.map { $0 - 1 } ?? records.sequence)
        let isNew =
            settlement.cursor > settledCursor || !settlement.notes.isEmpty || !settlement.done.isEmpty
            || !settlement.receipts.isEmpty || settlement.failure != nil
        guard isNew else { return nil }
        defer {
            settledCursor = settlement.cursor
            settlement = Settlement(backend: backend, cursor: settlement.cursor)
        }
        return settlement
    }

    /// How the backend does, for the settlement: the outbox keeps it for `perch queue`.
    mutating func noteOutage(_ outage: Settlement.Failure.Outage) {
        settlement.failure = Settlement.Failure(outage: outage)
    }
}
