/// The diagnostics, which are never on the disk: the newest ones, as many as there is room for.
struct DiagnosticRing {
    private let limit: Int64
    private(set) var rows: [RecordRow] = []
    private var bytes: Int64 = 0

    init(bytes: Int64) { limit = bytes }

    /// Adds one, and returns how many others had to go.
    mutating func add(_ row: RecordRow) -> [RecordRow] {
        rows.append(row)
        bytes += row.bytes
        var count = 0
        while bytes > limit, count < rows.count {
            bytes -= rows[count].bytes
            count += 1
        }
        defer { rows.removeFirst(count) }
        return Array(rows.prefix(count))
    }

    /// Removes those that every backend has passed.
    mutating func removePassed(_ sequence: Int64) {
        let count = rows.prefix { $0.sequence <= sequence }.count
        bytes -= rows.prefix(count).reduce(0) { $0 + $1.bytes }
        rows.removeFirst(count)
    }

    subscript(sequence: Int64) -> RecordRow? { rows.first { $0.sequence == sequence } }
}
