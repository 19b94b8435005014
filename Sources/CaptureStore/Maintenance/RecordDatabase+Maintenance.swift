extension RecordDatabase {
    /// Makes dead letters wait again, and returns how many there were. Within a transaction.
    func retry(_ selection: RecordSelection) throws -> Int {
        var notes = try rejected(selection)
        for index in notes.indices {
            notes[index].isRejected = false
            try database.put(notes[index])
        }
        return notes.count
    }

    /// Gives up what is meant: dead letters for the backends that rejected them, anything else for all backends.
    /// Returns the records that are gone, and how many deliveries were given up. Within a transaction.
    func drop(_ selection: RecordSelection) throws -> (removed: [RemovedRecord], count: Int) {
        guard selection.isRejected else {
            let sequences = try meant(selection)
            return (try drop(sequences), sequences.count)
        }
        let notes = try rejected(selection)
        var removed: [RemovedRecord] = []
        for note in notes {
            try database.run(
                "DELETE FROM notes WHERE sequence = ? AND backend = ?",
                [.integer(note.sequence), .integer(note.backend)])
            removed += try remove(
                """
                sequence = ? AND sequence <= ?
                AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.sequence = records.sequence)
                """, [.integer(note.sequence), .integer(passed)])
        }
        return (removed, notes.count)
    }

    private func rejected(_ selection: RecordSelection) throws -> [NoteRow] {
        let meant = selection.backend.flatMap { backends[$0]?.id }
        if selection.backend != nil, meant == nil { return [] }
        return try database.rows(NoteRow.self, "WHERE rejected = 1 ORDER BY sequence").filter { note in
            (selection.sequences.isEmpty || selection.sequences.contains(note.sequence))
                && (meant == nil || meant == note.backend)
        }
    }

    /// The numbers of records that are there and meant, whatever their state.
    private func meant(_ selection: RecordSelection) throws -> [Int64] {
        guard selection.sequences.isEmpty else {
            return try selection.sequences.sorted().filter { try find($0) != nil }
        }
        var sequences: [Int64] = []
        try database.query("SELECT sequence FROM records ORDER BY sequence") { sequences.append($0.integer(0)) }
        return sequences
    }
}
