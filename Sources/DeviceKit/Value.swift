/// A value that an event carries or a state has.
public enum Value: Sendable, Hashable, CustomStringConvertible {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)

    /// What a value is, without which.
    public enum Kind: String, Sendable, Hashable {
        case flag
        case integer
        case number
        case text
    }

    public var kind: Kind {
        switch self {
        case .flag: .flag
        case .integer: .integer
        case .number: .number
        case .text: .text
        }
    }

    public var description: String {
        switch self {
        case .flag(let flag): String(flag)
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}
