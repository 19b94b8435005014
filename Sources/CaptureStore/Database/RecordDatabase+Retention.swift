internal import DeviceRuntime

extension RecordDatabase {
    /// What each class takes.
    func totals() throws -> [RecordClass: Int64] {
        var totals: [RecordClass: Int64] = [:]
        try database.query("SELECT class, sum(\(RecordRow.bytesExpression)) FROM records GROUP BY class") { row in
            if let recordClass = RecordClass(rawValue: row.integer(0)) { totals[recordClass] = row.integer(1) }
        }
        return totals
    }

    /// The oldest records of a class after a number.
    func oldest(
        _ recordClass: RecordClass, after sequence: Int64, limit: Int
    ) throws -> [(sequence: Int64, bytes: Int64)] {
        var found: [(sequence: Int64, bytes: Int64)] = []
        try database.query(
            """
            SELECT sequence, \(RecordRow.bytesExpression) FROM records WHERE class = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """, [.integer(recordClass.rawValue), .integer(sequence), .integer(Int64(limit))]
        ) { found.append(($0.integer(0), $0.integer(1))) }
        return found
    }

    /// Every second one of each kind among some of a class after a number, and where these end; `nil` after the last.
    func thinningCandidates(_ recordClass: RecordClass, after sequence: Int64) throws -> (drop: [Int64], end: Int64)? {
        var seen: [String: Int] = [:]
        var drop: [Int64] = []
        var end: Int64?
        try database.query(
            """
            SELECT sequence, part, event FROM records WHERE class = ? AND sequence > ? ORDER BY sequence LIMIT 256
            """, [.integer(recordClass.rawValue), .integer(sequence)]
        ) { row in
            let count = seen["\(row.text(1)).\(row.text(2))", default: 0]
            seen["\(row.text(1)).\(row.text(2))"] = count + 1
            if !count.isMultiple(of: 2) { drop.append(row.integer(0)) }
            end = row.integer(0)
        }
        return end.map { (drop, $0) }
    }

    /// Removes records although not all backends have them. Within a transaction.
    func drop(_ sequences: some Sequence<Int64>) throws -> [RemovedRecord] {
        try sequences.flatMap { sequence in
            try database.run("DELETE FROM notes WHERE sequence = ?", [.integer(sequence)])
            return try remove("sequence = ?", [.integer(sequence)])
        }
    }

    /// The records of a class that happened before a moment, as far as their time is known.
    func expired(_ recordClass: RecordClass, before time: WallTime) throws -> [Int64] {
        var expired: [Int64] = []
        let limit = DatabaseValue.integer(time.sinceEpoch.nanoseconds)
        try database.query(
            """
            SELECT sequence FROM records LEFT JOIN boots ON boots.id = records.boot
            WHERE class = ? AND ((clock <> 0 AND time < ?) OR (clock = 0 AND offset IS NOT NULL AND monotonic + offset < ?))
            """, [.integer(recordClass.rawValue), limit, limit]
        ) { expired.append($0.integer(0)) }
        return expired
    }

    /// Counts what was dropped. Within a transaction.
    func count(_ drops: [Drop: Int], at time: WallTime) throws {
        for (drop, count) in drops.sorted(by: { $0.key.reason.rawValue < $1.key.reason.rawValue }) {
            try database.run(
                """
                INSERT INTO drops VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET records = records + ?3, last = ?4
                """,
                [
                    .integer(drop.recordClass.rawValue), .text(drop.reason.rawValue), .integer(Int64(count)),
                    .integer(time.sinceEpoch.nanoseconds),
                ])
        }
    }
}
