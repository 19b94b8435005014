/// A frequency above zero.
public struct Frequency: Sendable, Hashable, Comparable {
    public let hertz: Double

    /// `nil` unless above zero and finite.
    public init?(hertz: Double) {
        guard hertz > 0, hertz.isFinite else { return nil }
        self.hertz = hertz
    }

    /// Hertz as the kernel's interfaces take them, rounded down; `nil` below 1 Hz and above 4 GHz.
    package var wholeHertz: UInt32? { UInt32(exactly: hertz.rounded(.down)).flatMap { $0 > 0 ? $0 : nil } }

    /// The time of one period.
    public var period: Duration { .seconds(1) / hertz }

    public static func < (left: Frequency, right: Frequency) -> Bool { left.hertz < right.hertz }

    /// A whole number of kilohertz; one below 1 counts as 1.
    public static func kilohertz(_ kilohertz: Int) -> Frequency { Frequency(valid: 1000 * Double(max(kilohertz, 1))) }

    private init(valid hertz: Double) { self.hertz = hertz }

    /// 100 kHz, what every I2C part can (UM10204, standard mode).
    public static let standardMode = Frequency(valid: 100_000)
    /// 400 kHz (UM10204, fast mode).
    public static let fastMode = Frequency(valid: 400_000)
}
