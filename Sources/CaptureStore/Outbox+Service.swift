internal import DeviceRuntime

extension Outbox {
    /// The first and the longest pause between tries to write.
    private static let retry = Duration.seconds(1)...(.seconds(60))

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        let clock = wallClock.observe { [weak self] in self?.assumeIsolated { $0.clockWasSet() } }
        defer { clock.cancel() }
        schedule.expiry = settings.expiryInterval.map { loop.now + $0 }
        var pause = Self.retry.lowerBound
        while !Task.isCancelled {
            wake = Waiter()
            guard let deadline = schedule.deadline, deadline <= loop.now else {
                await sleep(until: schedule.deadline)
                continue
            }
            if await write() {
                pause = Self.retry.lowerBound
            } else {
                try? await loop.sleep(for: pause)
                pause = min(pause * 2, Self.retry.upperBound)
            }
        }
        await end()
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

    /// Writes what waits, in one transaction: whoever comes while it runs shares the next one.
    private func write() async -> Bool {
        if isClockKnown { batch.now = wallClock.now }
        let taken = batch
        let waiters = syncWaiters
        (batch, syncWaiters) = (OutboxStorage.Batch(), [])
        schedule.clear()
        schedule.expiry = settings.expiryInterval.map { loop.now + $0 }
        isWriting = true
        defer { isWriting = false }
        let (description, logger, known) = (description, logger, storage)
        let result = try? await thread.run {
            var batch = taken
            guard let storage = try? known ?? OutboxStorage(description, logger: logger) else {
                return (batch, OutboxStorage.Outcome(error: "it cannot be opened"), OutboxStorage?.none)
            }
            let outcome = storage.write(&batch)
            return (batch, outcome, storage)
        }
        guard let (written, outcome, storage) = result else { return false }
        self.storage = storage ?? self.storage
        finish(written, outcome, waiters)
        return outcome.error == nil
    }

    private func finish(_ written: OutboxStorage.Batch, _ outcome: OutboxStorage.Outcome, _ waiters: [Waiter]) {
        if let error = outcome.error {
            if failure == nil {
                logger.error(
                    "the outbox cannot write; captures wait in memory",
                    ["directory": directory, "error": error])
            }
            failure = error
            putBack(written, isSettled: outcome.isSettled)
            if outcome.isSettled {
                for waiter in waiters { waiter.finish() }
            } else {
                syncWaiters = waiters + syncWaiters
            }
            return
        }
        if failure != nil { logger.notice("the outbox writes again", ["dropped so far": "\(droppedCount)"]) }
        failure = nil
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
            guard await write() else { break }
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
