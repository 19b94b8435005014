internal import DeviceRuntime

extension RecordDatabase {
    func insert(_ row: RecordRow) throws {
        // Not `put`: a number is never given to a second record.
        let places = Array(repeating: "?", count: RecordRow.columnCount).joined(separator: ", ")
        try database.run("INSERT INTO records VALUES (\(places))", row.columns)
    }

    /// The record's time, and what it is worth; `nil` while that may yet be learned.
    func stamp(of row: RecordRow, currentBoot: String) -> Record.Stamp? {
        let asAccepted = WallTime(sinceEpoch: .nanoseconds(row.time))
        switch row.clock {
        case .unstated: return Record.Stamp(time: asAccepted, quality: nil)
        case .right: return Record.Stamp(time: asAccepted, quality: .exact)
        case .unknown:
            guard let boot = boots[row.boot], row.sequence > boot.estimated else {
                return Record.Stamp(time: asAccepted, quality: .estimated)
            }
            if let offset = boot.offset {
                let repaired = Duration.nanoseconds(row.monotonic) + .nanoseconds(offset)
                return Record.Stamp(time: WallTime(sinceEpoch: repaired), quality: .repaired)
            }
            return boot.boot == currentBoot ? nil : Record.Stamp(time: asAccepted, quality: .estimated)
        }
    }

    /// What lies in the table under a number.
    struct Found {
        let sequence: Int64
        /// `nil` when it is not what was written.
        let row: RecordRow?
    }

    func find(_ sequence: Int64) throws -> Found? {
        try find("WHERE sequence = ?", [.integer(sequence)]).first
    }

    /// The next records after a number.
    func records(after sequence: Int64, limit: Int) throws -> [Found] {
        try find("WHERE sequence > ? ORDER BY sequence LIMIT ?", [.integer(sequence), .integer(Int64(limit))])
    }

    private func find(_ condition: String, _ values: [DatabaseValue]) throws -> [Found] {
        var found: [Found] = []
        try database.query("SELECT * FROM records \(condition)", values) { row in
            found.append(Found(sequence: row.integer(0), row: row.values.flatMap { RecordRow(checking: $0) }))
        }
        return found
    }

    func record(_ row: RecordRow, _ stamp: Record.Stamp) throws -> Record {
        Record(
            id: RecordID(device: row.device, identity: row.identity, sequence: row.sequence), part: row.part,
            event: row.event, recordClass: row.recordClass, monotonic: row.monotonic,
            boot: boots[row.boot]?.boot ?? "unknown", stamp: stamp, fields: row.fields,
            fieldValues: try fieldValues(row.fields),
            payload: row.mediaType.map { Record.Payload(file: row.file, mediaType: $0, size: Int(row.size)) })
    }

    /// Reads what ``JSONText`` has written. A number that was not finite is told as that.
    private func fieldValues(_ fields: String) throws -> [Capture.Field] {
        var values: [Capture.Field] = []
        try database.query("SELECT key, type, atom FROM json_each(?)", [.text(fields)]) { row in
            let value: CaptureValue =
                switch row.text(1) {
                case "true": .flag(true)
                case "false": .flag(false)
                case "integer": .integer(Int(row.integer(2)))
                case "real": .number(row.number(2))
                case "null": .number(.nan)
                default: .text(row.text(2))
                }
            values.append(Capture.Field(row.text(0), value))
        }
        return values
    }

    /// The next records after a number that are noted for a backend and are not dead letters.
    func notes(
        for backend: Int64, _ content: NoteRow.Content, after sequence: Int64, limit: Int
    ) throws -> [NoteRow] {
        try database.rows(
            NoteRow.self,
            "WHERE sequence > ? AND backend = ? AND content = ? AND rejected = 0 ORDER BY sequence LIMIT ?",
            [.integer(sequence), .integer(backend), .integer(content.rawValue), .integer(Int64(limit))])
    }

    func hasFile(_ name: String) throws -> Bool {
        try database.integer("SELECT 1 FROM records WHERE file = ?", [.text(name)]) != nil
    }
}
