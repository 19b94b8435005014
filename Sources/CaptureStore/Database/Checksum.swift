/// CRC-32 (polynomial 0x04C11DB7 reflected, as in zlib and Ethernet) over the columns of a row.
///
/// SQLite does not notice a flipped bit inside a value, and a card has many of them. Each row of the outbox carries
/// this, seeded with its table's name, so that a row is also recognised wherever it lies in a damaged file.
struct Checksum {
    private var state: UInt32 = 0xFFFF_FFFF

    static func of(table: String, _ values: [DatabaseValue]) -> Int64 {
        var checksum = Checksum()
        checksum.add(.text(table))
        for value in values { checksum.add(value) }
        return Int64(checksum.state ^ 0xFFFF_FFFF)
    }

    private mutating func add(_ value: DatabaseValue) {
        switch value {
        case .null: add(0 as UInt8)
        case .integer(let integer):
            add(1 as UInt8)
            add(integer)
        case .text(let text):
            // The length keeps "ab", "c" and "a", "bc" apart.
            add(2 as UInt8)
            add(Int64(text.utf8.count))
            for byte in text.utf8 { add(byte) }
        }
    }

    private mutating func add(_ integer: Int64) {
        for shift in stride(from: 0, to: Int64(64), by: 8) { add(UInt8(truncatingIfNeeded: integer >> shift)) }
    }

    private mutating func add(_ byte: UInt8) {
        state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ (state >> 8)
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
}
