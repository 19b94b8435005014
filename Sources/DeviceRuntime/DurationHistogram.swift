/// How often something took how long: counts in fixed steps, so that years of it take a few numbers.
public struct DurationHistogram: Sendable, Hashable {
    /// The steps' upper bounds. From what nobody notices to what loses edges, and on to a watchdog's patience.
    public static let bounds: [Duration] = [
        .milliseconds(1), .milliseconds(10), .milliseconds(100), .seconds(1), .seconds(10),
    ]

    /// How many took at most as long as the bound at the same index (and longer than the one before); the last are
    /// above all bounds.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    public private(set) var sum = Duration.zero
    public private(set) var longest = Duration.zero

    public init() {}

    public var count: Int { counts.reduce(0, +) }

    public mutating func add(_ duration: Duration) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        sum += duration
        longest = max(longest, duration)
    }
}
