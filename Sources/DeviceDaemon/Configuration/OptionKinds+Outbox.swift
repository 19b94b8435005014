import CaptureStore
import DeviceKit

/// A value that may also be left open.
enum Limit<Value: Sendable>: Sendable {
    case limited(Value)
    case unlimited

    var value: Value? { if case .limited(let value) = self { value } else { nil } }
}

extension OptionKind {
    /// What `kind` takes, or a word for no limit.
    static func either<Wrapped>(_ kind: OptionKind<Wrapped>, or word: String) -> OptionKind
    where Value == Limit<Wrapped> {
        OptionKind("\(kind.expectation), or \(word)") { input in
            if case .scalar(word) = input { return .unlimited }
            return kind.parse(input).map { .limited($0) }
        }
    }
}

extension OptionKind<Int64> {
    /// Bytes with their unit; a kilobyte has 1000.
    static func size(_ range: ClosedRange<Int64>, per unit: String = "", example: String) -> OptionKind {
        let limits = "\(text(range.lowerBound))\(unit) to \(text(range.upperBound))\(unit)"
        return OptionKind("a size from \(limits), such as \(example)") { input in
            guard case .scalar(let text) = input, text.hasSuffix(unit),
                let bytes = bytes(String(text.dropLast(unit.count))), range.contains(bytes)
            else { return nil }
            return bytes
        }
    }

    private static let units: [(name: String, bytes: Int64)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("B", 1),
    ]

    private static func text(_ bytes: Int64) -> String {
        units.first { bytes >= $0.bytes && bytes % $0.bytes == 0 }.map { "\(bytes / $0.bytes)\($0.name)" } ?? "0B"
    }

    private static func bytes(_ text: String) -> Int64? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count)), number >= 0, number <= 1_000_000
        else { return nil }
        return Int64((number * Double(unit.bytes)).rounded())
    }
}

extension OptionKind<DailyWindow> {
    /// A part of each day.
    static var dailyWindow: OptionKind {
        OptionKind("a part of each day by local time, such as 22:00-06:00") { input in
            guard case .scalar(let text) = input else { return nil }
            return DailyWindow(text)
        }
    }
}

extension OptionKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the words of a type.
    static var word: OptionKind {
        .choice(Dictionary(Value.allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { $1 }))
    }
}
