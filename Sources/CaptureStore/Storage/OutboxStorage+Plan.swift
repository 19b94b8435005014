internal import DeviceRuntime

/// Where a backend's records come from.
enum UploadSource: Sendable, Hashable {
    /// Records that the cursor has passed and that are noted.
    case notes
    /// Records after the cursor.
    case records
    /// Files whose documents are delivered.
    case files
}

/// What a backend is to get next, in order.
struct UploadPlan: Sendable {
    var items: [UploadItem] = []
    /// There is no more at present.
    var isEnd = false
    /// More is there, but its calendar time may yet be learned.
    var isHeld = false
}

/// A record that was looked up for sending.
enum LoadedRecord: Sendable {
    /// `hasFile` tells whether a file belongs to it and is there.
    case record(StoredRecord, hasFile: Bool)
    /// Dropped meanwhile; or its file is gone, when that was all that was asked for.
    case gone
    /// Its row is not what was written.
    case damaged
}

extension OutboxStorage {
    /// The next items for a backend, after a number: few, however long the backlog.
    ///
    /// A record whose calendar time may yet be learned ends the plan, unless nobody wants to wait for that any more
    /// (`isEstimating`).
    func plan(
        for backend: String, _ source: UploadSource, after sequence: Int64, limit: Int, isEstimating: Bool
    ) throws -> UploadPlan {
        try recovering {
            try prepare()
            switch source {
            case .notes: return try planNotes(backend, .everything, after: sequence, limit)
            case .files: return try planNotes(backend, .file, after: sequence, limit)
            case .records: return try planRecords(backend, after: sequence, limit, isEstimating)
            }
        }
    }

    private func planNotes(
        _ backend: String, _ content: NoteRow.Content, after sequence: Int64, _ limit: Int
    ) throws -> UploadPlan {
        let notes = try records.notes(for: records.backend(backend).id, content, after: sequence, limit: limit)
        let items = try notes.map { note in
            item(
                note.sequence, try records.find(note.sequence)?.row, attempts: Int(note.attempts), isNoted: true)
        }
        return UploadPlan(items: items, isEnd: notes.count < limit)
    }

    private func planRecords(
        _ backend: String, after sequence: Int64, _ limit: Int, _ isEstimating: Bool
    ) throws -> UploadPlan {
        let position = max(sequence, try records.backend(backend).cursor)
        let found = try records.records(after: position, limit: limit)
        let isEnd = found.count < limit
        let last = isEnd ? Int64.max : found.last?.sequence ?? position
        let inMemory = diagnostics.rows.filter { $0.sequence > position && $0.sequence <= last }
            .map { RecordDatabase.Found(sequence: $0.sequence, row: $0) }
        let all = (found + inMemory).sorted { $0.sequence < $1.sequence }
        let items = all.map { item($0.sequence, $0.row, attempts: 0, isNoted: false) }
        let held = isEstimating ? nil : items.firstIndex { !$0.isStamped }
        return UploadPlan(
            items: Array(items.prefix(held ?? items.count)), isEnd: held == nil && isEnd, isHeld: held != nil)
    }

    /// `row` is `nil` where it is gone or damaged; that shows when it is to be sent.
    private func item(_ sequence: Int64, _ row: RecordRow?, attempts: Int, isNoted: Bool) -> UploadItem {
        // What the document has beside its values: names, times.
        let overhead = 400
        return UploadItem(
            sequence: sequence, size: (row?.fields.utf8.count ?? 0) + overhead,
            fileSize: row?.file == nil ? nil : row.map { Int($0.size) }, attempts: attempts, isNoted: isNoted,
            isDurable: row?.recordClass != .diagnostic,
            isStamped: row.map { records.stamp(of: $0, currentBoot: description.boot) != nil } ?? true)
    }

    /// The records under these numbers, as a backend gets them, in their order.
    ///
    /// Those whose calendar time is not known go with the time as the clock stood, for ever, and so do those up to
    /// `ahead` numbers later: each of these decisions costs a write.
    func load(_ sequences: [Int64], _ share: Record.Share, ahead: Int64) throws -> [LoadedRecord] {
        try recovering {
            let found = try sequences.map { (sequence: $0, found: try find($0)) }
            let unknown = found.filter { entry in
                entry.found?.row.map { records.stamp(of: $0, currentBoot: description.boot) == nil } ?? false
            }
            if let last = unknown.map(\.sequence).max() { try estimate(upTo: last + ahead) }
            return try found.map { try load($0.sequence, $0.found, share) }
        }
    }

    /// Remembers, before they leave, that records go with the time as the clock stood.
    private func estimate(upTo sequence: Int64) throws {
        try withReserve {
            try records.transaction {
                var boot = try records.boot(named: description.boot)
                boot.estimated = max(boot.estimated, sequence)
                try records.put(boot)
            }
        }
    }

    private func load(
        _ sequence: Int64, _ found: RecordDatabase.Found?, _ share: Record.Share
    ) throws -> LoadedRecord {
        guard let found else { return .gone }
        guard let row = found.row, let stamp = records.stamp(of: row, currentBoot: description.boot) else {
            return .damaged
        }
        var record = try records.record(row, stamp)
        if let file = record.payload?.file, !spool.has(file, size: Int(row.size)) {
            record.payload?.file = nil
            if lostFiles.insert(sequence).inserted { reportLost("\(spool.spool)/\(file)") }
        }
        let hasFile = record.payload?.file != nil
        if share == .file && !hasFile { return .gone }
        return .record(record.stored(share, spool: spool.spool), hasFile: hasFile)
    }

    private func find(_ sequence: Int64) throws -> RecordDatabase.Found? {
        if let row = diagnostics[sequence] { return RecordDatabase.Found(sequence: sequence, row: row) }
        return try records.find(sequence)
    }
}
