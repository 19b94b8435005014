/// A frequency above zero.
public struct Frequency: Sendable, Hashable, Comparable {
    public let hertz: Double

    /// `nil` unless above zero and finite.
    public init?(hertz: Double) {
        guard hertz > 0, hertz.isFinite else { return nil }
        self.hertz = hertz
    }

    /// The time of one period.
    public var period: Duration { .seconds(1) / hertz }

    public static func < (left: Frequency, right: Frequency) -> Bool { left.hertz < right.hertz }
}
