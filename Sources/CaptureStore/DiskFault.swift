internal import CSQLite

/// What is wrong with an outbox's disk, for simulations: it answers as SQLite does on such a disk.
public enum DiskFault: String, Sendable, Hashable, CaseIterable {
    /// Nothing can be added; records that were delivered can be struck off.
    case full
    case readOnly = "read-only"

    func check(_ batch: OutboxStorage.Batch) throws {
        switch self {
        case .full:
            guard batch.insertions.contains(where: { $0.capture.recordClass != .diagnostic }) else { return }
            throw DatabaseError(code: SQLITE_FULL, message: "database or disk is full")
        case .readOnly: throw DatabaseError(code: SQLITE_READONLY, message: "attempt to write a readonly database")
        }
    }
}

extension Outbox {
    /// Brings about a fault of the disk, or ends it. On the loop, which has virtual time: there the disk has no thread of
    /// its own.
    public nonisolated func setDiskFault(_ fault: DiskFault?) { assumeIsolated { $0.storage?.diskFault = fault } }
}
