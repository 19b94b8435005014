internal import DeviceRuntime

/// An outbox that no daemon has open, for a person who wants to change what is in it.
public final class ClosedOutbox {
    private let lock: FileDescriptor
    private let records: RecordDatabase
    private let spool: PayloadSpool

    /// `nil` while a daemon has it open: that one is to be asked. Throws ``OutboxError`` when there is none, or it cannot
    /// be read.
    public init?(directory: String) throws {
        // Says what is wrong with it, if anything is.
        _ = try OutboxReader(directory: directory)
        do {
            guard let lock = try PayloadSpool.lock(directory) else { return nil }
            self.lock = lock
            records = try RecordDatabase.open("\(directory)/outbox.db")
            spool = PayloadSpool(directory: directory)
        } catch {
            throw OutboxError(
                "cannot change the outbox in \(directory): \(error)", advice: "run this as root or as perch's user")
        }
    }

    deinit { lock.close() }

    /// Makes dead letters wait again, and returns how many there were.
    public func retry(_ selection: RecordSelection) throws -> Int {
        var count = 0
        try records.transaction { count = try records.retry(selection) }
        return count
    }

    /// Gives up what is meant, and returns how many deliveries or records that were.
    public func drop(_ selection: RecordSelection) throws -> Int {
        var removed: [RemovedRecord] = []
        var count = 0
        try records.transaction {
            // A number is not given again because its record is gone.
            var state = try records.state()
            state.lastSequence = try records.lastSequence()
            try records.database.put(state)
            (removed, count) = try records.drop(selection)
            try records.count(Drop.requested(removed), at: WallTime.system)
        }
        for case let file? in removed.map(\.file) { try? spool.remove(file) }
        return count
    }
}

extension Drop {
    static func requested(_ removed: [RemovedRecord]) -> [Drop: Int] {
        removed.reduce(into: [:]) { $0[Drop(recordClass: $1.recordClass, reason: .request), default: 0] += 1 }
    }
}
