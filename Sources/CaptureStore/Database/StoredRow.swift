/// A row of one of the outbox's tables, with a checksum as its last column.
protocol StoredRow {
    static var table: String { get }

    /// How many columns the table has, the checksum included.
    static var columnCount: Int { get }

    /// The columns, in order, without the checksum.
    var values: [DatabaseValue] { get }

    /// `nil` when the columns are not of these kinds.
    init?(columns: [DatabaseValue])
}

extension StoredRow {
    /// The columns with the checksum.
    var columns: [DatabaseValue] { values + [.integer(Checksum.of(table: Self.table, values))] }

    /// A row as it was read from somewhere; `nil` when it is not what was written.
    init?(checking columns: [DatabaseValue]) {
        guard columns.count == Self.columnCount, let last = columns.last else { return nil }
        let values = Array(columns.dropLast())
        guard last == .integer(Checksum.of(table: Self.table, values)) else { return nil }
        self.init(columns: values)
    }

    /// Throws damage for a row that is not what was written.
    init(_ row: DatabaseRow) throws {
        guard let columns = row.values, let checked = Self(checking: columns) else {
            throw DatabaseError.damage("a row of the table \(Self.table) is not what was written")
        }
        self = checked
    }
}

extension Database {
    /// The rows that a `SELECT *` on the row's table gives, with what `condition` adds. Throws damage when one is not
    /// what was written.
    func rows<Row: StoredRow>(
        _ kind: Row.Type, _ condition: String = "", _ values: [DatabaseValue] = []
    ) throws -> [Row] {
        var rows: [Row] = []
        try query("SELECT * FROM \(Row.table) \(condition)", values) { rows.append(try Row($0)) }
        return rows
    }

    /// Adds the row, in place of one with the same key.
    func put(_ row: some StoredRow) throws {
        let columns = row.columns
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        try run("INSERT OR REPLACE INTO \(type(of: row).table) VALUES (\(places))", columns)
    }
}
