/// A JSON value that is written the same way every time: keys sorted by their code points, no white space.
///
/// Not an encoder of Foundation's: the bytes of a record must not change with a library's version, because a
/// record that is sent again has to be the same object.
public indirect enum JSONText: Sendable, CustomStringConvertible {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    /// Nanoseconds, written exactly as seconds: `1500000000` → `1.5`.
    case seconds(nanoseconds: Int64)
    case text(String)
    /// JSON that was written before.
    case written(String)
    case array([JSONText])
    case object([String: JSONText])

    public var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .flag(let flag): output += flag ? "true" : "false"
        case .integer(let integer): output += String(integer)
        case .number(let number): output += number.isFinite ? String(number) : "null"
        case .seconds(let nanoseconds): Self.write(nanoseconds: nanoseconds, to: &output)
        case .text(let text): Self.write(text, to: &output)
        case .written(let json): output += json
        case .array(let items):
            output += "["
            for (index, item) in items.enumerated() {
                if index > 0 { output += "," }
                item.write(to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            // The order of the bytes of UTF-8 is that of the code points.
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { output += "," }
                Self.write(member.key, to: &output)
                output += ":"
                member.value.write(to: &output)
            }
            output += "}"
        }
    }

    private static func write(nanoseconds: Int64, to output: inout String) {
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        output += (nanoseconds < 0 ? "-" : "") + String(seconds)
        guard rest > 0 else { return }
        var digits = Substring(String(rest + 1_000_000_000).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        output += "." + digits
    }

    private static func write(_ text: String, to output: inout String) {
        output += "\""
        defer { output += "\"" }
        // Nearly all texts need no escape, and a record has ten of them.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            output += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..."\u{1f}":
                let hex = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: output.unicodeScalars.append(scalar)
            }
        }
    }
}
