/// An angle.
public struct Angle: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var degrees: Double

    public init(degrees: Double) { self.degrees = degrees }

    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

    public static func < (left: Angle, right: Angle) -> Bool { left.degrees < right.degrees }

    /// `90deg`, `22.5deg`: as it is written in a configuration.
    public var description: String {
        let text = String(degrees)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "deg"
    }
}
