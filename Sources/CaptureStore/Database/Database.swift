internal import CSQLite

/// What SQLite reports.
struct DatabaseError: Error, CustomStringConvertible {
    /// The extended result code; its low byte is the primary one.
    let code: Int32
    let message: String

    var description: String { message }

    /// Content that is not what was written.
    static func damage(_ message: String) -> DatabaseError { DatabaseError(code: SQLITE_CORRUPT, message: message) }

    /// The file's content is not what was written, or cannot be read (any more).
    var isDamage: Bool {
        let unreadable = [10 | 1 << 8, 10 | 32 << 8, 10 | 33 << 8] as [Int32]  // SQLITE_IOERR_READ, _DATA, _CORRUPTFS
        return [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff) || unreadable.contains(code)
    }

    /// While opening also: it is a database, but not an outbox.
    var isForeignContent: Bool {
        isDamage || [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA].contains(code & 0xff)
    }

    /// There is no space for what was to be written.
    var isLackOfSpace: Bool { code & 0xff == SQLITE_FULL }

    /// Cut short because it took too long.
    var isInterruption: Bool { code & 0xff == SQLITE_INTERRUPT }
}

enum DatabaseValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case null

    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// A row of a result, valid until the next one.
struct DatabaseRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func number(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// All columns; `nil` when one is of a kind that the outbox does not store.
    var values: [DatabaseValue]? {
        var values: [DatabaseValue] = []
        for column in 0..<sqlite3_column_count(statement) {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: values.append(.integer(integer(column)))
            case SQLITE_TEXT: values.append(.text(text(column)))
            case SQLITE_NULL: values.append(.null)
            default: return nil
            }
        }
        return values
    }
}

/// A connection to an SQLite file. Statements are prepared once.
///
/// Unchecked: whoever owns it uses it from one thread at a time.
final class Database: @unchecked Sendable {
    enum Access {
        case create
        case readWrite
        case readOnly
    }

    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(_ path: String, _ access: Access) throws {
        let flags =
            switch access {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: "\(path): \(String(cString: sqlite3_errstr(code)))")
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        // `perch queue` works on the file from another process; it holds locks for a moment only.
        sqlite3_busy_timeout(handle, 5000)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    func run(_ sql: String, _ values: [DatabaseValue] = []) throws { try query(sql, values) { _ in } }

    func query(_ sql: String, _ values: [DatabaseValue] = [], _ body: (DatabaseRow) throws -> Void) throws {
        let statement = try prepare(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let index = Int32(index + 1)
            let code =
                switch value {
                case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
                case .text(let text): perch_sqlite_bind_text(statement, index, text, Int32(text.utf8.count))
                case .null: sqlite3_bind_null(statement, index)
                }
            try check(code)
        }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code) }
            try body(DatabaseRow(statement: statement))
        }
    }

    /// The first column of the first row; `nil` where there is none, or nothing in it.
    func integer(_ sql: String, _ values: [DatabaseValue] = []) throws -> Int64? {
        var result: Int64?
        try query(sql, values) { row in result = result ?? row.values?.first?.integer }
        return result
    }

    /// Runs `body` in a transaction, which is committed if it returns and leaves no trace if it throws.
    func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // Fails harmlessly where SQLite has rolled back by itself.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// Runs `body`, whose statements end with an interruption once `isOver` says so.
    func interrupting(when isOver: @escaping () -> Bool, _ body: () throws -> Void) rethrows {
        let watch = Unmanaged.passRetained(Watch(isOver))
        // Some thousand steps of SQLite's machine: well below a millisecond of work, without what the disk takes.
        sqlite3_progress_handler(
            handle, 10_000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
            },
            watch.toOpaque())
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            watch.release()
        }
        try body()
    }

    private final class Watch {
        let isOver: () -> Bool
        init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        guard let prepared else { throw DatabaseError(code: SQLITE_MISUSE, message: "empty statement") }
        statements[sql] = prepared
        return prepared
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        DatabaseError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}
