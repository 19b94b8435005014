/// Why records are not kept.
public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// The disk took nothing, and memory was full.
    case memory
    /// Their class was full, and new ones are not to displace old ones.
    case refused
    /// Newer ones needed the room.
    case oldest
    /// Every second one, when their class was full.
    case thinned
    /// They were older than they may be.
    case age
    /// Somebody said so.
    case request
}

/// Records that were dropped.
struct Drop: Sendable, Hashable {
    let recordClass: RecordClass
    let reason: DropReason
}

/// What the classes take, so that it need not be counted again.
struct Ledger: Sendable {
    private var bytes: [RecordClass: Int64] = [:]
    /// No record of the class has a number up to this one: where to look for the oldest.
    var floors: [RecordClass: Int64] = [:]
    /// How far the present thinning is.
    var thinnedTo: [RecordClass: Int64] = [:]
    /// What is to be written with the next commit.
    var drops: [Drop: Int] = [:]

    init(_ totals: [RecordClass: Int64] = [:]) { bytes = totals }

    func bytes(of recordClass: RecordClass) -> Int64 { bytes[recordClass] ?? 0 }

    mutating func add(_ row: RecordRow) { bytes[row.recordClass, default: 0] += row.bytes }

    mutating func remove(_ records: [RemovedRecord]) {
        for record in records { bytes[record.recordClass, default: 0] -= record.bytes }
    }

    mutating func drop(_ count: Int = 1, _ recordClass: RecordClass, _ reason: DropReason) {
        if count > 0 { drops[Drop(recordClass: recordClass, reason: reason), default: 0] += count }
    }
}
