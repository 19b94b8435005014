/// What a value looks like, for a program that lets a person choose one: a field, a list, a slider.
public enum OptionForm: Sendable, Hashable {
    case text
    /// One of these words.
    case choice([String])
    /// A number in a range, with its unit written behind it: `90deg`.
    case number(ClosedRange<Double>, unit: String = "", isWhole: Bool = false)
}
