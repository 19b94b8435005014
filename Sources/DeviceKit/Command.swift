/// Something that a part is told to do.
public struct Command: Sendable {
    /// The command's name in the driver's table: `show`.
    public var name: String
    public var arguments: OptionValues
    /// The event that led to it, as `device.event`; `nil` when a person gave it.
    public var cause: String?
    /// As it was given in words, its name first; `nil` when a rule gave it.
    public var words: [String]?

    public init(
        name: String, arguments: OptionValues = OptionValues(), cause: String? = nil, words: [String]? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.cause = cause
        self.words = words
    }
}

/// An entry of a driver's table of commands.
public struct CommandDescription: Sendable {
    public let name: String
    public let summary: String
    /// The first one may be given without its name: `show: "HELLO"`.
    public let arguments: [OptionDescription]

    public init(_ name: String, _ summary: String, arguments: [OptionDescription] = []) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
    }
}
