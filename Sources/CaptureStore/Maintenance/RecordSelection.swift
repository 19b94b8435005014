/// Which records of an outbox somebody means.
public struct RecordSelection: Sendable, Hashable {
    /// Their numbers; empty for all.
    public var sequences: Set<Int64>
    /// Only what a backend of this name has yet to get.
    public var backend: String?
    /// Only dead letters.
    public var isRejected: Bool

    public init(sequences: Set<Int64> = [], backend: String? = nil, isRejected: Bool = false) {
        self.sequences = sequences
        self.backend = backend
        self.isRejected = isRejected
    }

    /// Reads a record's number from its identifier or from the name of one of its objects: `porch/3fa2c81b/00000042`,
    /// `porch/3fa2c81b/00000042-bell.pressed.json`, `42`. `nil` for anything else.
    public static func sequence(of text: String) -> Int64? {
        let last = text.split(separator: "/").last ?? ""
        let number = last.prefix { $0 != "-" }
        guard number.allSatisfy({ $0.isASCII && $0.isNumber }), let sequence = Int64(number), sequence > 0 else {
            return nil
        }
        return sequence
    }

    /// Whether an entry is meant.
    public func contains(_ entry: OutboxReader.Entry) -> Bool {
        guard sequences.isEmpty || sequences.contains(entry.id.sequence) else { return false }
        return (backend == nil && !isRejected)
            || entry.deliveries.contains { delivery in
                (backend == nil || delivery.backend == backend) && (!isRejected || delivery.isRejected)
            }
    }
}
