/// When and how fast a backend is given records.
public struct UploadLimits: Sendable, Hashable {
    /// What keeps to the window.
    public enum Scope: String, Sendable, Hashable, CaseIterable {
        case everything = "all"
        /// Documents go at any time.
        case files
    }

    /// How many tries may be under way at the same time, files aside. With more than one, order is not kept.
    public var parallel = 1
    /// Bytes a second, over time.
    public var rate: Int?
    public var window: DailyWindow?
    public var windowScope = Scope.everything

    public init() {}
}

/// A part of each day, by the board's local time.
public struct DailyWindow: Sendable, Hashable {
    /// Minutes since midnight.
    public let start: Int
    /// Minutes since midnight; before `start` where the window goes over midnight.
    public let end: Int

    /// Reads `22:00-06:00`; `nil` for anything else, and for a window without length.
    public init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minutes($0) }
        guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
        self.start = start
        self.end = end
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isASCIIDigit) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    /// How long it takes until the window opens, at a time of day in seconds; zero while it is open.
    func wait(at second: Int) -> Duration {
        let (start, end) = (start * 60, end * 60)
        let isOpen = start < end ? (start..<end).contains(second) : second >= start || second < end
        if isOpen { return .zero }
        return .seconds(second < start ? start - second : start + 86400 - second)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

/// Keeps an average: each piece goes at the speed of the line, and the next one when its time has passed.
struct RateLimit: Sendable {
    private let rate: Int?
    private(set) var next = Duration.zero

    init(_ rate: Int?) { self.rate = rate }

    mutating func spend(_ bytes: Int, now: Duration) {
        guard let rate, rate > 0 else { return }
        next = max(next, now) + .seconds(1) * (Double(bytes) / Double(rate))
    }
}
