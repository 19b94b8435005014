/// A record that is no longer kept.
struct RemovedRecord {
    let sequence: Int64
    let recordClass: RecordClass
    let bytes: Int64
    /// The file's name in the spool.
    let file: String?
}

extension RecordDatabase {
    /// Writes what an uploader has to tell, and returns the records that nobody waits for any more. Within a
    /// transaction.
    func settle(_ settlement: Settlement) throws -> [RemovedRecord] {
        var backend = try backend(settlement.backend)
        let before = passed
        for note in settlement.notes where try find(note.sequence) != nil {
            try database.put(
                NoteRow(
                    sequence: note.sequence, backend: backend.id, content: note.content, attempts: Int64(note.attempts),
                    error: note.error, isRejected: note.isRejected))
        }
        for sequence in settlement.done {
            try database.run(
                "DELETE FROM notes WHERE sequence = ? AND backend = ?", [.integer(sequence), .integer(backend.id)])
        }
        let known = backend
        backend.cursor = max(backend.cursor, settlement.cursor)
        if let failure = settlement.failure { backend.failure = failure.outage.map { ($0.since, $0.reason) } }
        if backend != known { try put(backend) }

        let kept = "NOT EXISTS (SELECT 1 FROM notes WHERE notes.sequence = records.sequence)"
        var removed = try remove(
            "sequence > ? AND sequence <= ? AND \(kept)", [.integer(before), .integer(passed)])
        for sequence in settlement.done where sequence <= before {
            removed += try remove("sequence = ? AND \(kept)", [.integer(sequence)])
        }
        // Into the space that these have left.
        for receipt in settlement.receipts { try put(receipt, of: backend) }
        return removed
    }

    /// Whether a settlement has anything to say about what is in the file.
    func concernsRows(_ settlement: Settlement) throws -> Bool {
        guard settlement.notes.isEmpty, settlement.done.isEmpty, settlement.failure == nil else { return true }
        let cursor = try backend(settlement.backend).cursor
        return try database.integer(
            "SELECT 1 FROM records WHERE sequence > ? AND sequence <= ? LIMIT 1",
            [.integer(cursor), .integer(settlement.cursor)]) != nil
    }

    func remove(_ condition: String, _ values: [DatabaseValue]) throws -> [RemovedRecord] {
        var removed: [RemovedRecord] = []
        try database.query(
            "DELETE FROM records WHERE \(condition) RETURNING sequence, class, \(RecordRow.bytesExpression), file",
            values
        ) { row in
            removed.append(
                RemovedRecord(
                    sequence: row.integer(0), recordClass: RecordClass(rawValue: row.integer(1)) ?? .alert,
                    bytes: row.integer(2), file: row.optionalText(3)))
        }
        return removed
    }

    private func put(_ receipt: Settlement.Receipt, of backend: BackendRow) throws {
        let slot = (receipt.sequence * 2 + (receipt.isFile ? 1 : 0)) % Int64(Settlement.mostReceipts)
        try database.run(
            "INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?)",
            [
                .integer(backend.id), .integer(slot), .text(receipt.name), .integer(Int64(receipt.size)),
            ])
    }

    /// How many records each backend has yet to get, dead letters included.
    func backlog() throws -> [(backend: BackendRow, records: Int)] {
        try backends.values.sorted { $0.name < $1.name }.map { backend in
            let noted =
                try database.integer("SELECT count(*) FROM notes WHERE backend = ?", [.integer(backend.id)]) ?? 0
            let waiting =
                backend.isActive
                ? try database.integer("SELECT count(*) FROM records WHERE sequence > ?", [.integer(backend.cursor)])
                    ?? 0
                : 0
            return (backend, Int(noted + waiting))
        }
    }
}
