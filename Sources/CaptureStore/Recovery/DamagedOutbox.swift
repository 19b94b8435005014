internal import DeviceRuntime

/// What can be read of an outbox's file that is damaged, or that has lost a part of its log.
struct DamagedOutbox {
    private let image: DatabaseImage
    private let freePages: Set<Int>

    /// The highest that were found of each, since a number only grows.
    private(set) var state: OutboxRow?
    private(set) var backends: [String: BackendRow] = [:]
    private(set) var boots: [Int64: BootRow] = [:]
    /// Of the pages that SQLite sees: others are outdated.
    private(set) var notes: [NoteRow] = []
    /// The highest number of a record that SQLite sees or a backend has.
    private(set) var lastSequence: Int64 = 0

    var isLogDamaged: Bool { image.isLogDamaged }

    /// Reads all but the records.
    init(_ path: String) throws {
        image = try DatabaseImage(path)
        freePages = try image.freePages()
        try forEachRow(live: true) { columns in
            if let row = RecordRow(checking: columns) { lastSequence = max(lastSequence, row.sequence) }
            if let note = NoteRow(checking: columns) { notes.append(note) }
            readState(columns)
        }
        try forEachRow(live: false) { readState($0) }
        lastSequence = max(lastSequence, state?.lastSequence ?? 0, backends.values.map(\.cursor).max() ?? 0)
    }

    private mutating func readState(_ columns: [DatabaseValue]) {
        if let row = OutboxRow(checking: columns), row.runs >= state?.runs ?? 0 {
            state = row
        } else if let row = BackendRow(checking: columns), row.cursor >= backends[row.name]?.cursor ?? 0 {
            backends[row.name] = row
        } else if let row = BootRow(checking: columns), row.estimated >= boots[row.id]?.estimated ?? 0 {
            boots[row.id] = BootRow(
                id: row.id, boot: row.boot, offset: row.offset ?? boots[row.id]?.offset, estimated: row.estimated)
        }
    }

    /// Calls `body` with each record that may be wanted, those that SQLite sees first; some more than once.
    ///
    /// What SQLite does not see is wanted where it is newer than all that any backend is known to have: anything else
    /// was delivered and deleted.
    func forEachRecord(_ body: (RecordRow) throws -> Void) throws {
        try forEachRow(live: true) { columns in
            if let row = RecordRow(checking: columns) { try body(row) }
        }
        let passed = backends.values.filter(\.isActive).map(\.cursor).min()
        try forEachRow(live: false) { columns in
            guard let row = RecordRow(checking: columns), row.sequence > passed ?? 0 else { return }
            try body(row)
        }
    }

    /// The numbers of rows that are records' by their form and not by their checksum.
    func damagedSequences() throws -> Set<Int64> {
        var damaged: Set<Int64> = []
        try forEachRow(live: true) { columns in
            guard columns.count == RecordRow.columnCount, RecordRow(checking: columns) == nil,
                RecordRow(columns: columns) != nil, let sequence = columns[0].integer
            else { return }
            damaged.insert(sequence)
        }
        return damaged
    }

    /// Records that were accepted after the last one that SQLite sees: in a part of the log that it does not read, or
    /// in pages that an older part of the log covers.
    func forgottenRecords() throws -> [RecordRow] {
        var forgotten: [Int64: RecordRow] = [:]
        try forEachRow(live: false) { columns in
            guard let row = RecordRow(checking: columns), row.sequence > lastSequence else { return }
            forgotten[row.sequence] = row
        }
        return forgotten.values.sorted { $0.sequence < $1.sequence }
    }

    private func forEachRow(live: Bool, _ body: ([DatabaseValue]) throws -> Void) throws {
        if live {
            for number in 1...max(1, image.pageCount) where !freePages.contains(number) {
                try forEachRow(image.page(number), isFirst: number == 1, body)
            }
        } else {
            for place in image.stale { try forEachRow(image.content(place), isFirst: place == .file(page: 1), body) }
            for number in freePages.sorted() { try forEachRow(image.page(number), isFirst: false, body) }
        }
    }

    private func forEachRow(
        _ page: [UInt8], isFirst: Bool, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        try PageRows(page, isFirst: isFirst, pageSize: image.pageSize, overflow: { try image.page($0) })?.forEach(body)
    }
}
