/// The rows in a page of an SQLite file, where it is a leaf of a table or of an index.
struct PageRows {
    private let page: [UInt8]
    /// 100 on the first page of a file, whose header comes before.
    private let start: Int
    private let usable: Int
    private let isTable: Bool
    /// Reads another page, for a row that does not fit.
    private let overflow: (Int) throws -> [UInt8]

    /// `nil` for any other page.
    init?(_ page: [UInt8], isFirst: Bool, pageSize: Int, overflow: @escaping (Int) throws -> [UInt8]) {
        start = isFirst ? 100 : 0
        guard page.count > start + 8, [0x0D, 0x0A].contains(page[start]) else { return nil }
        self.page = page
        isTable = page[start] == 0x0D
        usable = pageSize
        self.overflow = overflow
    }

    /// Calls `body` with the columns of each row that can be read.
    func forEach(_ body: ([DatabaseValue]) throws -> Void) throws {
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        for index in 0..<count {
            let pointer = start + 8 + 2 * index
            guard pointer + 2 <= page.count else { return }
            var reader = ByteReader(page, at: Int(page[pointer]) << 8 | Int(page[pointer + 1]))
            guard let columns = try columns(&reader) else { continue }
            try body(columns)
        }
    }

    private func columns(_ reader: inout ByteReader) throws -> [DatabaseValue]? {
        guard let size = reader.varint(), (1...Self.longest).contains(size) else { return nil }
        var rowID: Int64?
        if isTable {
            guard let number = reader.varint() else { return nil }
            rowID = number
        }
        guard let payload = try payload(&reader, size: Int(size)) else { return nil }
        var values = ByteReader(payload, at: 0)
        guard var columns = values.record() else { return nil }
        // The integer primary key of a table is its row's number, and stands in the row as null.
        if let rowID, columns.first == .null { columns[0] = .integer(rowID) }
        return columns
    }

    /// Longer than any event's values; beyond that a size is not one.
    private static let longest: Int64 = 16 << 20

    /// By section 1.6 of the file format: what of a payload lies in the page, and where the rest is.
    private func payload(_ reader: inout ByteReader, size: Int) throws -> [UInt8]? {
        let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        if size <= most { return reader.bytes(size) }
        let least = (usable - 12) * 32 / 255 - 23
        let wished = least + (size - least) % (usable - 4)
        guard var payload = reader.bytes(wished <= most ? wished : least), let next = reader.bytes(4) else {
            return nil
        }
        var number = next.bigEndian(at: 0) ?? 0
        while payload.count < size {
            let page = try overflow(number)
            guard page.count > 4, let following = page.bigEndian(at: 0) else { return nil }
            payload += page[4..<min(page.count, 4 + size - payload.count)]
            number = following
        }
        return payload
    }
}

/// Reads SQLite's encodings from bytes that may be anything.
private struct ByteReader {
    private let source: [UInt8]
    private var position: Int

    init(_ source: [UInt8], at position: Int) {
        self.source = source
        self.position = position
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, position + count <= source.count else { return nil }
        defer { position += count }
        return Array(source[position..<position + count])
    }

    /// Seven bits a byte, the highest first; all eight of a ninth.
    mutating func varint() -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard position < source.count else { return nil }
            let byte = source[position]
            position += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }

    /// A record: a header of types, then the values. `nil` for kinds of values that the outbox does not store.
    mutating func record() -> [DatabaseValue]? {
        let start = position
        guard let size = varint(), size > 0, size <= 1000 else { return nil }
        let end = start + Int(size)
        var types: [Int64] = []
        while position < end {
            guard let type = varint(), type >= 0 else { return nil }
            types.append(type)
        }
        guard position == end else { return nil }
        var values: [DatabaseValue] = []
        for type in types {
            guard let value = value(type) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func value(_ type: Int64) -> DatabaseValue? {
        switch type {
        case 0: return .null
        case 1...6: return integer(size: [1, 2, 3, 4, 6, 8][Int(type) - 1])
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 13... where type % 2 == 1:
            guard (type - 13) / 2 <= Int64(source.count) else { return nil }
            return bytes(Int(type - 13) / 2).map { .text(String(decoding: $0, as: UTF8.self)) }
        default: return nil
        }
    }

    private mutating func integer(size: Int) -> DatabaseValue? {
        guard let bytes = bytes(size) else { return nil }
        let sign: Int64 = bytes[0] & 0x80 == 0 ? 0 : -1
        return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
    }
}
