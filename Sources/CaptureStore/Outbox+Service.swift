internal import DeviceRuntime

extension Outbox {
    /// The first and the longest pause between tries to write.
    private static let retry = Duration.seconds(1)...(.seconds(60))

    /// A card takes 2 to 20 ms for a flush, and now and then half a second to tidy up; a dying one took 3 to 17 s.
    private static let slowness = Duration.seconds(2)

    func tellSlowness() {
        guard slowness.fail(now: loop.now) else { return }
        logger.warning(
            "the disk takes more than 2 s for a write; captures wait in memory. A card that does so is failing",
            ["directory": directory])
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        let clock = wallClock.observe { [weak self] in self?.assumeIsolated { $0.clockWasSet() } }
        defer { clock.cancel() }
        schedule.expiry = settings.expiryInterval.map { loop.now + $0 }
        var pause = Self.retry.lowerBound
        while !Task.isCancelled {
            wake = Waiter()
            guard let deadline, deadline <= loop.now else {
                await sleep(until: deadline)
                continue
            }
            switch await write() {
            case .everything:
                pause = Self.retry.lowerBound
                nextTry = nil
            case .notes:
                // While records go, room for new ones comes.
                pause = Self.retry.lowerBound
                nextTry = loop.now + pause
            case nil:
                nextTry = loop.now + pause
                pause = min(pause * 2, Self.retry.upperBound)
            }
        }
        await end()
    }

    /// When to write. While the disk takes nothing that is seldom, but what was delivered is struck off: that makes room.
    private var deadline: Duration? {
        guard let nextTry else { return schedule.deadline }
        return min(nextTry, schedule.settlementDeadline ?? nextTry)
    }

    private func sleep(until deadline: Duration?) async {
        let wake = wake
        let timer = deadline.map { loop.schedule(at: $0) { wake.finish() } }
        try? await wake.wait()
        timer?.cancel()
    }

    var hasWork: Bool {
        !batch.insertions.isEmpty || !batch.settlements.isEmpty || !batch.garbage.isEmpty
            || (batch.clockOffset != nil && isClockWanted)
    }

    /// What is written next: all that waits, but of many captures some at a time. A disk that is nearly full takes a few
    /// where it does not take ten thousand.
    private func takeBatch() -> OutboxStorage.Batch {
        var taken = batch
        batch = OutboxStorage.Batch()
        batch.insertions = Array(taken.insertions.dropFirst(portion))
        taken.insertions = Array(taken.insertions.prefix(portion))
        schedule.clear()
        schedule.expiry = settings.expiryInterval.map { loop.now + $0 }
        if !batch.insertions.isEmpty { schedule.hurry() }
        return taken
    }

    static let portions = 16...1000

    /// Writes what waits, in one transaction: whoever comes while it runs shares the next one. Returns what the disk has
    /// taken.
    private func write() async -> SyncWaiter.Extent? {
        if isClockKnown { batch.now = wallClock.now }
        let taken = takeBatch()
        // Who waits for all of it waits for the last portion.
        let isLast = batch.insertions.isEmpty
        let waiters = syncWaiters.filter { isLast || $0.extent == .notes }
        syncWaiters.removeAll { isLast || $0.extent == .notes }
        isWriting = true
        defer { isWriting = false }
        let begun = loop.now
        let alarm = loop.schedule(after: Self.slowness) { [weak self] in self?.assumeIsolated { $0.tellSlowness() } }
        defer { alarm.cancel() }
        let (description, logger, known) = (description, logger, storage)
        let result = try? await thread.run {
            var batch = taken
            guard let storage = try? known ?? OutboxStorage(description, logger: logger) else {
                return (batch, OutboxStorage.Outcome(error: "it cannot be opened"), OutboxStorage?.none)
            }
            let outcome = storage.write(&batch)
            return (batch, outcome, storage)
        }
        guard let (written, outcome, storage) = result else { return nil }
        if loop.now - begun < Self.slowness, let ended = slowness.succeed() {
            logger.notice("the disk is quick again", ["slow writes": "\(ended.failures)"])
        }
        self.storage = storage ?? self.storage
        finish(written, outcome, waiters)
        if outcome.error == nil { return .everything }
        return outcome.isSettled && !written.settlements.isEmpty ? .notes : nil
    }

    private func finish(_ written: OutboxStorage.Batch, _ outcome: OutboxStorage.Outcome, _ waiters: [SyncWaiter]) {
        if let error = outcome.error {
            if outages.fail(now: loop.now) {
                logger.error(
                    "the outbox cannot write; captures wait in memory",
                    ["directory": directory, "error": error])
            }
            failure = error
            portion = max(Self.portions.lowerBound, portion / 4)
            putBack(written, isSettled: outcome.isSettled)
            let notes = waiters.filter { $0.extent == .notes }
            if outcome.isSettled {
                for waiter in notes { waiter.finish() }
            }
            for waiter in waiters + syncWaiters where waiter.extent == .everything { waiter.finish() }
            syncWaiters = (outcome.isSettled ? [] : notes) + syncWaiters.filter { $0.extent == .notes }
            return
        }
        if outages.succeed() != nil {
            logger.notice("the outbox writes again", ["dropped so far": "\(droppedCount)"])
        }
        // Uploaders may have found it closed.
        if failure != nil { tell(.hurry) }
        failure = nil
        portion = min(Self.portions.upperBound, portion * 2)
        for waiter in waiters { waiter.finish() }
        waiting.remove(written.insertions)
        for (insertion, result) in zip(written.insertions, outcome.results) { insertion.whenDone?(result) }
        if !outcome.results.isEmpty { tell(.recordsArrived) }
        if written.clockOffset != nil { tell(.clockLearned) }
    }

    /// Takes what could not be written back in front of what has come since.
    private func putBack(_ written: OutboxStorage.Batch, isSettled: Bool) {
        batch.insertions = written.insertions + batch.insertions
        batch.clockOffset = written.clockOffset ?? batch.clockOffset
        batch.drops.merge(written.drops) { $0 + $1 }
        if !isSettled {
            let later = batch.settlements
            batch.settlements = written.settlements
            for settlement in later { batch.add(settlement) }
        }
        schedule.hurry()
    }

    func tell(_ event: OutboxEvent) {
        for observer in observers { observer(event) }
    }

    /// Writes what waits, or says what is lost, and closes the file.
    private func end() async {
        while hasWork {
            guard await write() == .everything else { break }
        }
        isEnded = true
        for waiter in syncWaiters { waiter.finish() }
        let lost = batch.insertions
        batch.insertions = []
        if !lost.isEmpty {
            logger.error(
                "captures are lost: the outbox could not write them before the end",
                ["captures": "\(lost.count)", "error": failure ?? ""])
        }
        for insertion in lost {
            insertion.whenDone?(.failure(OutboxError("the outbox in \(directory) ended", advice: failure)))
        }
        let storage = storage
        try? await thread.run { storage?.close() }
    }
}
