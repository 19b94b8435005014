internal import DeviceRuntime

extension OutboxStorage {
    /// Makes room for a record by its class's policy, and returns whether it may come. Within a transaction.
    func makeRoom(for row: RecordRow, _ ledger: inout Ledger, _ removed: inout [RemovedRecord]) throws -> Bool {
        let bounds = description.settings[row.recordClass]
        guard row.bytes <= bounds.bytes else { return false }
        if bounds.whenFull == .thin {
            // After the last one it begins again with the first; when a whole round brings nothing, nothing can.
            var ends = 0
            while ledger.bytes(of: row.recordClass) + row.bytes > bounds.bytes, ends < 2 {
                if let gone = try thin(row.recordClass, &ledger) { removed += gone } else { ends += 1 }
            }
        }
        while ledger.bytes(of: row.recordClass) + row.bytes > bounds.bytes {
            if bounds.whenFull == .refuse { return false }
            let gone = try removeOldest(row.recordClass, bytes: row.bytes, &ledger)
            if gone.isEmpty { return false }
            removed += gone
        }
        return true
    }

    /// Thins some records; `nil` at the end of a round.
    private func thin(_ recordClass: RecordClass, _ ledger: inout Ledger) throws -> [RemovedRecord]? {
        let start = ledger.thinnedTo[recordClass] ?? 0
        guard let found = try records.thinningCandidates(recordClass, after: start) else {
            ledger.thinnedTo[recordClass] = 0
            return nil
        }
        ledger.thinnedTo[recordClass] = found.end
        let gone = try records.drop(found.drop)
        ledger.remove(gone)
        ledger.drop(gone.count, recordClass, .thinned)
        return gone
    }

    private func removeOldest(
        _ recordClass: RecordClass, bytes: Int64, _ ledger: inout Ledger
    ) throws -> [RemovedRecord] {
        let found = try records.oldest(recordClass, after: ledger.floors[recordClass] ?? 0, limit: 64)
        var freed: Int64 = 0
        var sequences: [Int64] = []
        for entry in found where freed < bytes {
            sequences.append(entry.sequence)
            freed += entry.bytes
        }
        let gone = try records.drop(sequences)
        ledger.floors[recordClass] = sequences.last
        ledger.remove(gone)
        ledger.drop(gone.count, recordClass, .oldest)
        return gone
    }

    /// Drops what is older than it may be, now and then.
    func expire(at now: WallTime, _ ledger: inout Ledger) throws -> [RemovedRecord] {
        nextExpiry = now.sinceEpoch + (description.settings.expiryInterval ?? .zero)
        var removed: [RemovedRecord] = []
        for recordClass in [RecordClass.alert, .reading] {
            guard let age = description.settings[recordClass].age else { continue }
            let gone = try records.drop(records.expired(recordClass, before: now - age))
            ledger.drop(gone.count, recordClass, .age)
            removed += gone
        }
        ledger.remove(removed)
        return removed
    }

    /// Says what was dropped: the first of a kind, the tenth, the hundredth …
    func report(_ drops: [Drop: Int]) {
        // What memory dropped was told of when it did.
        for (drop, count) in drops where drop.reason != .memory {
            let before = dropped[drop] ?? 0
            dropped[drop] = before + count
            guard powerOfTen(between: before, before + count) else { continue }
            logger.error(
                "\(drop.recordClass.plural) were dropped: \(drop.reason.explanation)",
                ["dropped so far": "\(before + count)", "directory": directory])
        }
    }
}

extension DropReason {
    /// Completes "readings were dropped: …".
    public var explanation: String {
        switch self {
        case .memory: "the disk took nothing, and memory was full"
        case .refused: "the outbox is full of them"
        case .oldest: "the outbox was full of them, and the oldest made room"
        case .thinned: "the outbox was full of them, and every second one made room"
        case .age: "they were older than they may be"
        case .request: "by request"
        }
    }
}

extension OutboxSettings {
    /// How often the ages of records are looked at; `nil` where none has a limit.
    var expiryInterval: Duration? {
        [alerts.age, readings.age].compactMap { $0 }.min().map { min(max($0 / 24, .seconds(60)), .seconds(3600)) }
    }
}

/// Whether a count that grows has reached or passed 1, 10, 100 …
private func powerOfTen(between before: Int, _ after: Int) -> Bool {
    var power = 1
    while power <= before { power *= 10 }
    return power <= after
}
