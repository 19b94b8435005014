/// The Castagnoli checksum (RFC 3720, appendix B.4), which Google's storage keeps of every object. No library of
/// Debian's that is here anyway has it.
struct CRC32C {
    private var state: UInt32 = 0xFFFF_FFFF

    /// For each byte, the polynomial 0x1EDC6F41 in reversed bits.
    private static let table: [UInt32] = (0..<256).map { byte in
        var value = UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
        return value
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes { state = state >> 8 ^ table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] }
        }
        self.state = state
    }

    var value: UInt32 { ~state }
}
