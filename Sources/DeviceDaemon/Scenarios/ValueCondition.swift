import DeviceKit
import Peripherals

/// What a value has to be like: a text or a number as a person writes it, or a mapping that says more.
enum ValueCondition: Sendable, Hashable, CustomStringConvertible {
    case equal(String)
    case not(String)
    /// Of numbers; either end may be open.
    case range(from: WrittenNumber?, to: WrittenNumber?)
    case contains(String)

    func matches(_ value: Value) -> Bool {
        switch self {
        case .equal(let text): Self.isEqual(value, text)
        case .not(let text): !Self.isEqual(value, text)
        case .range(let from, let to):
            number(of: value).map { ($0 >= from?.value ?? -.infinity) && ($0 <= to?.value ?? .infinity) } ?? false
        case .contains(let part): value.description.contains(part)
        }
    }

    func matches(_ count: Int) -> Bool { matches(.integer(count)) }

    /// The text that it takes, if it is just that.
    var text: String? { if case .equal(let text) = self { text } else { nil } }

    private func number(of value: Value) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .flag: nil
        case .text(let text): WrittenNumber(text)?.value
        }
    }

    private static func isEqual(_ value: Value, _ text: String) -> Bool {
        switch value {
        case .flag(let flag): flag == isYes(text)
        case .integer(let integer): WrittenNumber(text)?.isEqual(to: Double(integer)) ?? false
        case .number(let number): WrittenNumber(text)?.isEqual(to: number) ?? false
        // A glass has as many characters as it has.
        case .text(let found): trimmed(found) == trimmed(text)
        }
    }

    /// Whether a word says yes or no; `nil` for any other.
    static func isYes(_ text: String) -> Bool? {
        switch text {
        case "yes", "true", "on": true
        case "no", "false", "off": false
        default: nil
        }
    }

    private static func trimmed(_ text: String) -> Substring {
        text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex)]
    }

    /// Completes "expected x to be …".
    var description: String {
        switch self {
        case .equal(let text): quoted(text)
        case .not(let text): "anything but \(quoted(text))"
        case .range(let from?, let to?): "from \(from.text) to \(to.text)"
        case .range(let from?, nil): "at least \(from.text)"
        case .range(nil, let to?): "at most \(to.text)"
        case .range(nil, nil): "a number"
        case .contains(let part): "a text with \(quoted(part))"
        }
    }
}

/// A number as a person writes it, with a unit of time or degrees where it has one: `90`, `90deg`, `80ms`.
struct WrittenNumber: Sendable, Hashable {
    let text: String
    /// In degrees, seconds, or whatever it counts.
    let value: Double
    /// Half of what the last digit stands for.
    let tolerance: Double

    private static let units: [Substring: Double] = [
        "": 1, "deg": 1, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400,
    ]

    init?(_ text: String) {
        let unit = text.drop { $0.isNumber || ".-+".contains($0) }
        let digits = text[..<unit.startIndex]
        guard let number = Double(digits), number.isFinite, let scale = Self.units[unit] else { return nil }
        var tolerance = 0.5 * scale
        for _ in digits.drop(while: { $0 != "." }).dropFirst() { tolerance /= 10 }
        self.text = text
        value = number * scale
        self.tolerance = tolerance
    }

    /// Whether a number is this one when it is rounded as this one is written.
    func isEqual(to number: Double) -> Bool { abs(number - value) <= tolerance }
}
