import CaptureStore

/// What `perch queue list` prints.
enum QueueText {
    static func line(_ entry: OutboxReader.Entry) -> String {
        let payload = entry.payloadSize.map { "  with \($0) bytes" } ?? ""
        let deliveries = entry.deliveries.map { delivery in
            if delivery.isRejected { return "\(delivery.backend): rejected: \(delivery.lastError ?? "")" }
            return "\(delivery.backend): \(delivery.isFileOnly ? "its file waits" : "waits")"
                + (delivery.lastError.map { " after \(delivery.attempts) tries: \($0)" } ?? "")
        }
        let time = entry.clock == .exact ? entry.time : "\(entry.time) (\(entry.clock?.rawValue ?? "not known yet"))"
        return "\(entry.id)  \(time)  \(entry.part).\(entry.event)\(payload)  \(deliveries.joined(separator: "; "))"
    }

    /// Counts: what waits for each storage, and what was dropped.
    static func summary(_ reader: OutboxReader) throws -> [String] {
        let backlog = try reader.backlog().map { backlog in
            "\(backlog.backend): \(backlog.pending) waiting, \(backlog.rejected) rejected"
                + (backlog.failure.map { "; uploads fail since \($0.since): \($0.reason)" } ?? "")
        }
        let drops = try reader.drops().map { drops in
            "dropped: \(drops.recordClass.counted(drops.records)), the last \(drops.last): \(drops.reason.explanation)"
        }
        return backlog + drops
    }
}
