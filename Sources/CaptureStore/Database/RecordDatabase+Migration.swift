internal import DeviceRuntime

extension RecordDatabase {
    /// Makes a file of version 1 one of this version, completely or not at all.
    ///
    /// Version 1 had a row for each record and backend that was still to do, under the backend's name; it knew one
    /// class, and did not ask what its clock was worth.
    static func migrate(_ database: Database) throws {
        try database.transaction {
            for table in ["outbox", "records", "deliveries"] {
                try database.run("ALTER TABLE \(table) RENAME TO old_\(table)")
            }
            try database.run("DROP INDEX files")
            for table in tables { try database.run(table) }
            let lastSequence = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'old_records'") ?? 0
            try migrateState(database, lastSequence)
            try migrateRecords(database)
            try migrateDeliveries(database, lastSequence)
            for table in ["outbox", "records", "deliveries"] { try database.run("DROP TABLE old_\(table)") }
            try database.run("PRAGMA user_version = \(version)")
        }
    }

    private static func migrateState(_ database: Database, _ lastSequence: Int64) throws {
        var state: OutboxRow?
        try database.query("SELECT identity, runs, clean FROM old_outbox") { row in
            state = OutboxRow(
                identity: row.text(0), runs: row.integer(1), isClean: row.integer(2) == 1, lastSequence: lastSequence)
        }
        guard let state else { throw DatabaseError.damage("incomplete") }
        try database.put(state)
    }

    private static func migrateRecords(_ database: Database) throws {
        var boots: [String: Int64] = [:]
        try database.query("SELECT DISTINCT boot FROM old_records ORDER BY boot") { row in
            boots[row.text(0)] = Int64(boots.count + 1)
        }
        for (boot, id) in boots { try database.put(BootRow(id: id, boot: boot)) }
        try database.query(
            """
            SELECT sequence, device, identity, part, event, monotonic, boot, time, fields, file, media_type, size, lost
            FROM old_records
            """
        ) { row in
            let file = row.optionalText(9)
            let time = WallTime(row.text(7)) ?? WallTime(sinceEpoch: .zero)
            try database.put(
                RecordRow(
                    sequence: row.integer(0), device: row.text(1), identity: row.text(2), part: row.text(3),
                    event: row.text(4), recordClass: .alert, monotonic: row.integer(5), boot: boots[row.text(6)] ?? 0,
                    time: time.sinceEpoch.nanoseconds, clock: .unstated, fields: row.text(8),
                    file: row.integer(12) == 1 ? nil : file, mediaType: file == nil ? nil : row.text(10),
                    size: row.integer(11)))
        }
    }

    private static func migrateDeliveries(_ database: Database, _ lastSequence: Int64) throws {
        var backends: [String: Int64] = [:]
        try database.query("SELECT DISTINCT backend FROM old_deliveries ORDER BY backend") { row in
            backends[row.text(0)] = Int64(backends.count + 1)
        }
        for (name, id) in backends {
            try database.put(BackendRow(id: id, name: name, cursor: lastSequence, isActive: true))
        }
        try database.query("SELECT sequence, backend, attempts, error, rejected FROM old_deliveries") { row in
            try database.put(
                NoteRow(
                    sequence: row.integer(0), backend: backends[row.text(1)] ?? 0, attempts: row.integer(2),
                    error: row.optionalText(3), isRejected: row.integer(4) == 1))
        }
    }
}
