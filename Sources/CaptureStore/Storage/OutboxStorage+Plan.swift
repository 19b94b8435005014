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
    /// A record whose calendar time may yet be learned ends the plan; with `isEstimating` it goes with the time as
    /// the clock stood, for ever.
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
            UploadItem(
                sequence: note.sequence, row: try records.find(note.sequence)?.row, attempts: Int(note.attempts),
                isNoted: true)
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
        let held = all.firstIndex { entry in
            entry.row.map { records.stamp(of: $0, currentBoot: description.boot) == nil } ?? false
        }
        if held != nil, isEstimating, let last = all.last {
            try estimate(upTo: last.sequence)
            return UploadPlan(items: all.map { UploadItem($0) }, isEnd: isEnd)
        }
        return UploadPlan(
            items: all.prefix(held ?? all.count).map { UploadItem($0) }, isEnd: held == nil && isEnd,
            isHeld: held != nil)
    }

    /// Remembers, before they leave, that records go with the time as the clock stood.
    private func estimate(upTo sequence: Int64) throws {
        try records.transaction {
            var boot = try records.boot(named: description.boot)
            boot.estimated = max(boot.estimated, sequence)
            try records.put(boot)
        }
    }

    /// The records under these numbers, as a backend gets them, in their order.
    func load(_ sequences: [Int64], _ share: Record.Share) throws -> [LoadedRecord] {
        try recovering { try sequences.map { try load($0, share) } }
    }

    private func load(_ sequence: Int64, _ share: Record.Share) throws -> LoadedRecord {
        guard let found = try find(sequence) else { return .gone }
        guard let row = found.row else { return .damaged }
        var known = records.stamp(of: row, currentBoot: description.boot)
        if known == nil {
            try estimate(upTo: sequence)
            known = records.stamp(of: row, currentBoot: description.boot)
        }
        guard let stamp = known else { return .damaged }
        var record = try records.record(row, stamp)
        if let file = record.payload?.file, !spool.has(file) {
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

extension UploadItem {
    init(_ found: RecordDatabase.Found) {
        self.init(sequence: found.sequence, row: found.row, attempts: 0, isNoted: false)
    }

    /// `row` is `nil` where it is gone or damaged; that shows when it is to be sent.
    init(sequence: Int64, row: RecordRow?, attempts: Int, isNoted: Bool) {
        // What the document has beside its values: names, times.
        let overhead = 400
        self.init(
            sequence: sequence, size: (row?.fields.utf8.count ?? 0) + overhead,
            fileSize: row?.file == nil ? nil : row.map { Int($0.size) }, attempts: attempts, isNoted: isNoted,
            isDurable: row?.recordClass != .diagnostic)
    }
}
