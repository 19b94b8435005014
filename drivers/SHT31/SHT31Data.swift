/// What an SHT31 sends: words of two bytes, each with a check byte (Sensirion SHT3x-DIS version 5, May 2018, pages 13 to
/// 14).
enum SHT31Data {
    /// The words; `nil` if a check byte is wrong or a byte is missing.
    static func words(_ bytes: [UInt8]) -> [UInt16]? {
        guard bytes.count.isMultiple(of: 3) else { return nil }
        var words: [UInt16] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            guard checksum(bytes[start..<start + 2]) == bytes[start + 2] else { return nil }
            words.append(UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1]))
        }
        return words
    }

    /// CRC-8: polynomial 0x31, begun with 0xFF, not reflected (table 20).
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        var checksum: UInt8 = 0xFF
        for byte in bytes {
            checksum ^= byte
            for _ in 0..<8 { checksum = checksum & 0x80 == 0 ? checksum << 1 : checksum << 1 ^ 0x31 }
        }
        return checksum
    }

    /// In °C, to hundredths (section 4.13).
    static func celsius(_ word: UInt16) -> Double { ((-45 + 175 * Double(word) / 65535) * 100).rounded() / 100 }

    /// In percent, to hundredths.
    static func relativeHumidity(_ word: UInt16) -> Double { (100 * Double(word) / 65535 * 100).rounded() / 100 }
}
