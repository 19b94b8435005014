internal import DeviceRuntime

extension Outbox {
    /// Writes what waits in memory, if the disk takes it, and lets every uploader try at once what it would have tried
    /// later.
    public func flush() async throws {
        nextTry = nil
        wake.finish()
        try await sync()
        tell(.hurry)
    }

    /// Makes dead letters wait again, and returns how many there were.
    public func retry(_ selection: RecordSelection) async throws -> Int {
        try await sync()
        let storage = try opened()
        let count = try await thread.run { try storage.retry(selection) }
        tell(.hurry)
        return count
    }

    /// Gives up what is meant, and returns how many deliveries or records that were.
    public func drop(_ selection: RecordSelection) async throws -> Int {
        try await sync()
        let (storage, now) = (try opened(), wallClock.now)
        return try await thread.run { try storage.drop(selection, at: now) }
    }
}

extension OutboxStorage {
    func retry(_ selection: RecordSelection) throws -> Int {
        var count = 0
        try records.transaction { count = try records.retry(selection) }
        return count
    }

    func drop(_ selection: RecordSelection, at now: WallTime) throws -> Int {
        var removed: [RemovedRecord] = []
        var count = 0
        try records.transaction {
            (removed, count) = try records.drop(selection)
            try records.count(Drop.requested(removed), at: now)
        }
        ledger.remove(removed)
        for case let file? in removed.map(\.file) { try? spool.remove(file) }
        return count
    }
}
