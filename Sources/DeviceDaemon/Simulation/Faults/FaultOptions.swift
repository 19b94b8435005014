import DeviceKit
import Peripherals
import SimulatedPeripherals

// Options that kinds of faults share.

/// Which occasions a fault takes.
enum OccasionOptions {
    static let first = Option(
        "nth", .integer(1...1_000_000), default: "1", "which one it begins with, counted from when the fault begins")
    /// `nil` is one, or all while the fault lasts.
    static let times = Option<Int?>(
        "times",
        OptionKind("a whole number from 1 to 1000000, or by-for") { input in
            if input == .scalar("by-for") { return .some(nil) }
            return OptionKind<Int>.integer(1...1_000_000).parse(input).map { .some($0) }
        }, default: "by-for", "how many in a row; by-for is one, or with `for` all in that time")

    static let descriptions = [first.description, times.description, Fault.duration.description]

    static func read(_ values: OptionValues) throws -> FaultOccasions {
        let count = try values[times] ?? (try values[Fault.duration] == nil ? 1 : nil)
        return FaultOccasions(first: try values[first], count: count)
    }
}

extension OptionKind<String> {
    /// What a fault is at; the reader finds out what the name stands for.
    static func target(_ expectation: String) -> OptionKind {
        OptionKind(expectation) { input in
            guard case .scalar(let text) = input else { return nil }
            return text
        }
    }
}

extension OptionKind<UInt8> {
    /// The bits of a byte.
    static var bits: OptionKind {
        OptionKind("a byte from 0x01 to 0xff, such as 0x80") { input in
            guard case .scalar(let text) = input, text.hasPrefix("0x"), let byte = UInt8(text.dropFirst(2), radix: 16)
            else { return nil }
            return byte == 0 ? nil : byte
        }
    }
}

extension OptionKind<Duration> {
    /// A duration that may be negative.
    static var step: OptionKind {
        OptionKind("a duration with a sign, such as +1h or -90s") { input in
            guard case .scalar(let text) = input, let sign = text.first, "+-".contains(sign),
                let duration = Duration(configurationText: String(text.dropFirst()))
            else { return nil }
            return sign == "-" ? .zero - duration : duration
        }
    }
}
