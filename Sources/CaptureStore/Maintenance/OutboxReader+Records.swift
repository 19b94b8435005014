internal import DeviceRuntime

extension OutboxReader {
    /// Calls `body` with each record that is meant, oldest first, as a backend would get it.
    ///
    /// One whose calendar time may yet be learned comes with the time as the clock stood.
    public func forEachRecord(_ selection: RecordSelection, _ body: (StoredRecord, Entry) throws -> Void) throws {
        try forEachEntry { entry in
            guard selection.contains(entry), let row = try records.find(entry.id.sequence)?.row else { return }
            let asAccepted = WallTime(sinceEpoch: .nanoseconds(row.time))
            let stamp = records.stamp(of: row, currentBoot: "") ?? Record.Stamp(time: asAccepted, quality: .estimated)
            var record = try records.record(row, stamp)
            let spool = PayloadSpool(directory: directory)
            if let file = record.payload?.file, !spool.has(file, size: Int(row.size)) {
                record.payload?.file = nil
            }
            try body(record.stored(.everything, spool: spool.spool), entry)
        }
    }

    /// An object that a backend has confirmed.
    public struct Receipt: Sendable, Hashable {
        public let name: String
        /// In bytes.
        public let size: Int
    }

    /// What a backend has confirmed, as far back as it is remembered: about 1,000 records.
    public func receipts(of backend: String) throws -> [Receipt] {
        guard let id = records.backends[backend]?.id else { return [] }
        var receipts: [Receipt] = []
        try records.database.query("SELECT name, size FROM receipts WHERE backend = ? ORDER BY name", [.integer(id)]) {
            row in
            receipts.append(Receipt(name: row.text(0), size: Int(row.integer(1))))
        }
        return receipts
    }
}
