/// The electrical level of a digital line.
///
/// Always the voltage on the wire; which level counts as *active* is a property of what is connected
/// (see ``DigitalInput/activeLevel``) and never changes the meaning of `low` and `high`.
public enum Level: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case low
    case high

    /// The other level.
    public var inverted: Level { self == .low ? .high : .low }

    public var description: String { rawValue }
}
