import Peripherals

/// How values stand in a script. What is written here is read back as the same value.
enum ScriptText {
    // MARK: Time

    /// Seconds with nine decimals, filled up with spaces: `12.000000500`.
    static func text(time: Duration, width: Int = 0) -> String {
        let (seconds, attoseconds) = time.components
        let nanoseconds = String(abs(attoseconds) / 1_000_000_000)
        let sign = seconds == 0 && attoseconds < 0 ? "-" : ""
        let text = "\(sign)\(seconds)." + String(repeating: "0", count: 9 - nanoseconds.count) + nanoseconds
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static func time(_ text: some StringProtocol) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 9, parts[1].allSatisfy(\.isASCIIDigit),
            let seconds = Int64(parts[0]), abs(seconds) < 1 << 40, let nanoseconds = Int64(parts[1])
        else { return nil }
        return .seconds(seconds) + .nanoseconds(parts[0].hasPrefix("-") ? -nanoseconds : nanoseconds)
    }

    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000), ("ns", 1),
    ]

    /// To the nanosecond, in the largest unit of which it is a whole number: `20ms`, `1500us`.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds != 0 else { return "\(seconds)s" }
        let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue
            .addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
        let unit = units.first { nanoseconds % $0.nanoseconds == 0 } ?? ("ns", 1)
        return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }

    static func duration(_ text: some StringProtocol) -> Duration? {
        let digits = text.prefix { $0.isASCIIDigit || $0 == "-" }
        guard let count = Int64(digits), let unit = units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        return overflow ? nil : .nanoseconds(nanoseconds)
    }

    // MARK: Bytes

    /// `61 30`
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let words = text.split(separator: " ")
        let bytes = words.compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
        return bytes.count == words.count ? bytes : nil
    }

    /// What may be text, as text: `"AT\r\n"`; anything else as bytes.
    static func textOrBytes(_ bytes: [UInt8]) -> String {
        let isText = !bytes.isEmpty && bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return isText ? quoted(String(decoding: bytes, as: UTF8.self)) : text(bytes)
    }

    static func textOrBytes(_ text: some StringProtocol) -> [UInt8]? {
        text.hasPrefix("\"") ? unquoted(text).map { Array($0.utf8) } : bytes(text)
    }

    // MARK: Quotes

    private static let escapes: [(character: Unicode.Scalar, letter: Unicode.Scalar)] = [
        ("\n", "n"), ("\r", "r"), ("\t", "t"), ("\"", "\""), ("\\", "\\"),
    ]

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if let escape = escapes.first(where: { $0.character == scalar }) {
                result += "\\\(escape.letter)"
            } else if breaksLines(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Control characters and separators of lines.
    private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// `nil` for what is not one text in quotes.
    static func unquoted(_ text: some StringProtocol) -> String? {
        var scalars = String(text).unicodeScalars[...]
        guard scalars.count >= 2, scalars.popFirst() == "\"", scalars.popLast() == "\"" else { return nil }
        var result = String.UnicodeScalarView()
        while let scalar = scalars.popFirst() {
            guard scalar != "\"" else { return nil }
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            guard let letter = scalars.popFirst() else { return nil }
            if letter == "u" {
                let code = scalars.prefix { $0 != "}" }
                guard code.first == "{", let value = UInt32(String(code.dropFirst()), radix: 16),
                    let escaped = Unicode.Scalar(value)
                else { return nil }
                scalars = scalars.dropFirst(code.count + 1)
                result.append(escaped)
            } else {
                guard let escape = escapes.first(where: { $0.letter == letter }) else { return nil }
                result.append(escape.character)
            }
        }
        return String(result)
    }

    /// The words of a line; a text in quotes is one.
    static func words(_ text: some StringProtocol) -> [String] { split(text, at: " ").filter { !$0.isEmpty } }

    /// Cuts at a mark outside of quotes.
    static func split(_ text: some StringProtocol, at mark: String) -> [String] {
        var parts = [String.UnicodeScalarView()]
        var isQuoted = false
        var rest = String(text).unicodeScalars[...]
        while let scalar = rest.first {
            if !isQuoted, rest.starts(with: mark.unicodeScalars) {
                parts.append(String.UnicodeScalarView())
                rest = rest.dropFirst(mark.unicodeScalars.count)
                continue
            }
            if scalar == "\"" { isQuoted.toggle() }
            let taken = rest.prefix(isQuoted && scalar == "\\" ? 2 : 1)
            parts[parts.count - 1].append(contentsOf: taken)
            rest = rest.dropFirst(taken.count)
        }
        return parts.map { String(String($0).trimmed) }
    }

    /// One space where several are; texts in quotes stay as they are.
    static func singleSpaced(_ text: some StringProtocol) -> String { words(text).joined(separator: " ") }
}

extension StringProtocol {
    /// Without the spaces at its ends.
    var trimmed: SubSequence {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        var rest = drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return rest
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
