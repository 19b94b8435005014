public import Peripherals

// Quantities as a person writes them in a configuration.

extension Duration {
    /// Reads `800ms`, `60s`, `1.5s`, `10min`, `24h`, `7d`, `500us`; `nil` for anything else, a bare number
    /// included: its unit would be a guess.
    public init?(configurationText text: String) {
        guard let (number, unit) = splitUnit(text), number >= 0 else { return nil }
        let seconds: Double
        switch unit {
        case "us": seconds = number / 1_000_000
        case "ms": seconds = number / 1000
        case "s": seconds = number
        case "min": seconds = number * 60
        case "h": seconds = number * 3600
        case "d": seconds = number * 86400
        default: return nil
        }
        // A hundred years: far above every use, far below what the arithmetic takes.
        guard seconds <= 100 * 365 * 86400 else { return nil }
        self = .nanoseconds(Int64((seconds * 1_000_000_000).rounded()))
    }

    /// The shortest text that reads back as this duration.
    public var configurationText: String {
        let (seconds, attoseconds) = components
        let nanoseconds = attoseconds / 1_000_000_000
        if nanoseconds == 0 {
            for (unit, length) in [("d", 86400), ("h", 3600), ("min", 60)] as [(String, Int64)]
            where seconds != 0 && seconds % length == 0 {
                return "\(seconds / length)\(unit)"
            }
            return "\(seconds)s"
        }
        if nanoseconds % 1_000_000 == 0 { return "\(seconds * 1000 + nanoseconds / 1_000_000)ms" }
        let whole = seconds * 1_000_000_000 + nanoseconds
        return whole % 1000 == 0 ? "\(whole / 1000)us" : "\(Double(whole) / 1000)us"
    }
}

extension Angle {
    /// Reads `90deg` or `-22.5deg`.
    public init?(configurationText text: String) {
        guard let (number, unit) = splitUnit(text), unit == "deg" else { return nil }
        self.init(degrees: number)
    }
}

/// `60s` → (60, "s")
func splitUnit(_ text: String) -> (Double, Substring)? {
    let unit = text.drop { $0.isNumber || ".-+".contains($0) }
    let digits = text[..<unit.startIndex]
    guard let number = Double(digits), number.isFinite else { return nil }
    return (number, unit.drop { $0 == " " })
}

extension Double {
    /// `3.3`, and `3` instead of `3.0`.
    var shortText: String {
        let text = String(self)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
