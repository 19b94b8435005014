extension RecordDatabase {
    // MARK: The file

    func state() throws -> OutboxRow {
        guard let row = try database.rows(OutboxRow.self).first else { throw DatabaseError.damage("incomplete") }
        return row
    }

    /// The highest number that was ever given.
    func lastSequence() throws -> Int64 {
        let recorded = try state().lastSequence
        let highest = try database.integer("SELECT max(sequence) FROM records") ?? 0
        return max(recorded, highest, backends.values.map(\.cursor).max() ?? 0)
    }

    /// Reads the small tables, and throws damage if one of their rows is not what was written.
    func readState() throws {
        _ = try state()
        boots = Dictionary(try database.rows(BootRow.self).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        backends = Dictionary(try database.rows(BackendRow.self).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        try database.query("SELECT * FROM notes") { _ = try NoteRow($0) }
    }

    // MARK: Boots

    /// The boot's row, which is made if it is missing. Within a transaction.
    func boot(named name: String) throws -> BootRow {
        if let known = boots.values.first(where: { $0.boot == name }) { return known }
        let row = BootRow(id: (boots.keys.max() ?? 0) + 1, boot: name)
        try put(row)
        return row
    }

    func put(_ boot: BootRow) throws {
        try database.put(boot)
        boots[boot.id] = boot
    }

    /// Forgets boots that no record is from.
    func removeBoots(except current: String) throws {
        for boot in boots.values.sorted(by: { $0.id < $1.id }) where boot.boot != current {
            guard try database.integer("SELECT 1 FROM records WHERE boot = ? LIMIT 1", [.integer(boot.id)]) == nil
            else { continue }
            try database.run("DELETE FROM boots WHERE id = ?", [.integer(boot.id)])
            boots[boot.id] = nil
        }
    }

    // MARK: Backends

    func put(_ backend: BackendRow) throws {
        try database.put(backend)
        backends[backend.name] = backend
    }

    func backend(_ name: String) throws -> BackendRow {
        guard let backend = backends[name] else { throw DatabaseError.damage("the backend \(name) is missing") }
        return backend
    }

    /// How far all are that are in the configuration.
    var passed: Int64 { backends.values.filter(\.isActive).map(\.cursor).min() ?? .max }

    /// Makes the table say what the configuration says. A backend that is new gets what comes from now on; one that
    /// has left keeps what it has yet to get, and comes back to that.
    func setBackends(_ names: [String], lastSequence: Int64) throws {
        for var backend in backends.values.sorted(by: { $0.id < $1.id })
        where backend.isActive != names.contains(backend.name) {
            if backend.isActive { try noteAll(for: backend, upTo: lastSequence) }
            backend.cursor = lastSequence
            backend.isActive.toggle()
            try put(backend)
        }
        for name in names where backends[name] == nil {
            try put(
                BackendRow(
                    id: (backends.values.map(\.id).max() ?? 0) + 1, name: name, cursor: lastSequence, isActive: true))
        }
    }

    /// Notes each record after the cursor.
    private func noteAll(for backend: BackendRow, upTo last: Int64) throws {
        var position = backend.cursor
        while true {
            // Some at a time, however many there are.
            var sequences: [Int64] = []
            try database.query(
                "SELECT sequence FROM records WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT 1000",
                [.integer(position), .integer(last)]
            ) { sequences.append($0.integer(0)) }
            guard let end = sequences.last else { return }
            for sequence in sequences { try database.put(NoteRow(sequence: sequence, backend: backend.id)) }
            position = end
        }
    }

    /// Records that every backend has passed and that none has a note for can only be left by damage: all backends
    /// get them (again). Returns how many there were.
    func adoptOrphans() throws -> Int {
        guard passed < .max else { return 0 }
        var orphans: [Int64] = []
        try database.query(
            """
            SELECT sequence FROM records WHERE sequence <= ?
            AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.sequence = records.sequence)
            """, [.integer(passed)]
        ) { orphans.append($0.integer(0)) }
        for sequence in orphans {
            for backend in backends.values where backend.isActive {
                try database.put(NoteRow(sequence: sequence, backend: backend.id))
            }
        }
        return orphans.count
    }
}
