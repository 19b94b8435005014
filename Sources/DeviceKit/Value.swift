/// A value that an event carries or a state has.
public enum Value: Sendable, Hashable, CustomStringConvertible {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)

    public var description: String {
        switch self {
        case .flag(let flag): String(flag)
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}
