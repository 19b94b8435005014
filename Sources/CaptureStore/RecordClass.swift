/// How much it takes to lose a record.
public enum RecordClass: Int64, Sendable, Hashable, CaseIterable {
    /// On the disk before anything else happens with it.
    case alert = 0
    /// Waits in memory for others, and is on the disk with them a little later.
    case reading = 1
    /// In memory only: what has not arrived when the power goes is lost.
    case diagnostic = 2

    /// `1 alert`, `2 alerts`
    public func counted(_ count: Int) -> String { "\(count) \(count == 1 ? String(plural.dropLast()) : plural)" }

    /// For messages and tables: `alerts`.
    public var plural: String {
        switch self {
        case .alert: "alerts"
        case .reading: "readings"
        case .diagnostic: "diagnostics"
        }
    }
}
