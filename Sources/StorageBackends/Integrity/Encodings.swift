extension [UInt8] {
    /// Two small hexadecimal digits for each byte.
    var hex: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// RFC 4648, 4.
    var base64: String {
        Self.encode(self, Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8), pads: true)
    }

    /// For URLs and tokens, without padding (RFC 4648, 5).
    var base64URL: String {
        Self.encode(self, Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8), pads: false)
    }

    private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8], pads: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<Swift.min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for (index, byte) in group.enumerated() { bits |= UInt32(byte) << (16 - 8 * UInt32(index)) }
            for index in 0...group.count { text.append(alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)]) }
            if pads { text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
