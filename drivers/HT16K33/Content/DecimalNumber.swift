/// A number as it was written, so that rounding is that of school and not that of binary fractions.
struct DecimalNumber: Sendable, Hashable {
    let isNegative: Bool
    /// Without leading zeros, but for `0`.
    private let whole: [UInt8]
    private let fraction: [UInt8]

    /// Reads `-12.50`, `7` or `.5`; `nil` for anything else, and beyond forty digits.
    init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        isNegative = rest.first == "-"
        if let sign = rest.first, "+-".contains(sign) { rest.removeFirst() }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts.map { $0.compactMap { $0.isASCII ? $0.wholeNumberValue.map(UInt8.init) : nil } }
        guard zip(parts, digits).allSatisfy({ $0.count == $1.count }), 1...40 ~= digits.joined().count else {
            return nil
        }
        whole = Self.trimmed(digits.first ?? [])
        fraction = digits.count > 1 ? digits[1] : []
    }

    /// How many decimals it was written with.
    var decimals: Int { fraction.count }

    var double: Double { Double(text(decimals: decimals)) ?? 0 }

    /// Rounded to that many decimals, halves away from zero; filled up with zeros. Zero has no sign.
    func text(decimals: Int) -> String {
        let kept = max(0, decimals)
        var digits = whole + Array(fraction.prefix(kept)) + Array(repeating: 0, count: max(0, kept - fraction.count))
        if kept < fraction.count, fraction[kept] >= 5 {
            var index = digits.count - 1
            while index >= 0, digits[index] == 9 {
                digits[index] = 0
                index -= 1
            }
            if index >= 0 { digits[index] += 1 } else { digits.insert(1, at: 0) }
        }
        let split = digits.count - kept
        let sign = isNegative && digits.contains { $0 > 0 } ? "-" : ""
        let text = { (digits: ArraySlice<UInt8>) in digits.map(String.init).joined() }
        return sign + text(digits[..<split]) + (kept > 0 ? "." + text(digits[split...]) : "")
    }

    /// As text that fits: with `decimals`, or with as many of those it was written with as there is room for. `nil`
    /// where it does not.
    func text(decimals: Int?, fits: (String) -> Bool) -> String? {
        let choices = decimals.map { [$0] } ?? Array((0...self.decimals).reversed())
        return choices.lazy.map { text(decimals: $0) }.first(where: fits)
    }

    private static func trimmed(_ digits: [UInt8]) -> [UInt8] {
        let rest = digits.drop { $0 == 0 }
        return rest.isEmpty ? [0] : Array(rest)
    }
}
