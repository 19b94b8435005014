internal import DeviceRuntime

extension RecordDatabase {
    func insert(_ insertion: Insertion, device: String, identity: String, backends: [String]) throws -> RecordID {
        let payload = insertion.payload
        try database.run(
            """
            INSERT INTO records
            (device, identity, part, event, monotonic, boot, time, fields, file, media_type, size, lost)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(device), .text(identity), .text(insertion.capture.part), .text(insertion.capture.event),
                .integer(insertion.monotonic), .text(insertion.boot), .text(insertion.time),
                .text(JSONText(insertion.capture.fields).description),
                payload.map { .text($0.file) } ?? .null, .text(payload?.mediaType ?? ""),
                .integer(Int64(payload?.size ?? 0)), .integer(payload?.isLost == true ? 1 : 0),
            ])
        let id = RecordID(device: device, identity: identity, sequence: database.lastInsertedRow)
        for backend in backends { try addDelivery(id.sequence, backend) }
        return id
    }

    private func addDelivery(_ sequence: Int64, _ backend: String) throws {
        try database.run(
            "INSERT INTO deliveries VALUES (?, ?, 0, NULL, 0)", [.integer(sequence), .text(backend)])
    }

    func settle(_ settlement: Settlement) throws -> String? {
        let delivery: [DatabaseValue] = [.integer(settlement.sequence), .text(settlement.backend)]
        switch settlement.outcome {
        case .stored:
            try database.run("DELETE FROM deliveries WHERE sequence = ? AND backend = ?", delivery)
            return try removeIfDelivered(settlement.sequence)
        case .rejected(let reason), .failed(let reason):
            let isRejected = if case .rejected = settlement.outcome { true } else { false }
            try database.run(
                "UPDATE deliveries SET attempts = attempts + 1, error = ?, rejected = ? WHERE sequence = ? AND backend = ?",
                [.text(reason), .integer(isRejected ? 1 : 0)] + delivery)
            return nil
        }
    }

    /// Removes a record that every backend has, and returns the name of its file.
    private func removeIfDelivered(_ sequence: Int64) throws -> String? {
        var file: String?
        try database.query(
            """
            DELETE FROM records WHERE sequence = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE sequence = ?1)
            RETURNING file
            """, [.integer(sequence)]
        ) { file = $0.optionalText(0) }
        return file
    }

    func markPayloadLost(_ sequence: Int64) throws {
        try database.run("UPDATE records SET lost = 1 WHERE sequence = ?", [.integer(sequence)])
    }

    func pending(for backend: String, after sequence: Int64, limit: Int) throws -> [Record] {
        var records: [Record] = []
        try database.query(
            """
            SELECT sequence, device, identity, part, event, monotonic, boot, time, fields, file, media_type, size, lost
            FROM deliveries JOIN records USING (sequence)
            WHERE sequence > ? AND backend = ? AND rejected = 0 ORDER BY sequence LIMIT ?
            """, [.integer(sequence), .text(backend), .integer(Int64(limit))]
        ) { row in
            let payload = row.optionalText(9).map {
                Record.Payload(
                    file: $0, mediaType: row.text(10), size: Int(row.integer(11)), isLost: row.integer(12) == 1)
            }
            records.append(
                Record(
                    id: RecordID(device: row.text(1), identity: row.text(2), sequence: row.integer(0)),
                    part: row.text(3), event: row.text(4), monotonic: row.integer(5), boot: row.text(6),
                    time: row.text(7), fields: row.text(8), fieldValues: [], payload: payload))
        }
        for index in records.indices { records[index].fieldValues = try fieldValues(records[index].fields) }
        return records
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
}
