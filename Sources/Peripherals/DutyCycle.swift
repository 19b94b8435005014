/// The active fraction of a PWM period, from 0 to 1.
public struct DutyCycle: Sendable, Hashable {
    public let fraction: Double

    /// `nil` outside 0 to 1.
    public init?(fraction: Double) {
        guard (0...1).contains(fraction) else { return nil }
        self.fraction = fraction
    }

    /// `nil` outside 0 to 100.
    public static func percent(_ percent: Double) -> DutyCycle? { DutyCycle(fraction: percent / 100) }
}
