/// A time of day, or minutes and seconds, as a person writes it: `7:05`, `19:30`, `7:05pm`.
struct ClockTime: Sendable, Hashable {
    /// As written: `7` or `07`.
    let hours: String
    let minutes: String
    let isAfternoon: Bool
    /// Whether the colon is lit.
    var hasColon = true

    init?(_ text: String) {
        var rest = Substring(text.lowercased().filter { $0 != " " })
        let isTwelveHours = rest.hasSuffix("am") || rest.hasSuffix("pm")
        isAfternoon = rest.hasSuffix("pm")
        if isTwelveHours { rest.removeLast(2) }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, 1...2 ~= parts[0].count, parts[1].count == 2 else { return nil }
        guard parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
        guard let first = Int(parts[0]), let second = Int(parts[1]), 0...59 ~= second else { return nil }
        if isTwelveHours, !(1...12 ~= first) { return nil }
        hours = String(parts[0])
        minutes = String(parts[1])
    }
}
