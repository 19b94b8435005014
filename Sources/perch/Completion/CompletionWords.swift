/// What may stand in a place of the command line.
enum CompletionWords: Equatable {
    /// Nothing that a shell could know.
    case free
    case files
    case directories
    case choices([String])

    /// By the name that stands for it in the help.
    init(placeholder: String) {
        if placeholder.contains("DIR") || placeholder.hasPrefix("FOLDER") {
            self = .directories
        } else if ["FILE", "TRACE", "PATH"].contains(where: placeholder.contains) {
            self = .files
        } else {
            self = .free
        }
    }
}

extension Verb.Flag {
    /// What its value may be; `nil` for a switch.
    var words: CompletionWords? { value.map { CompletionWords(placeholder: $0) } }

    /// As it is typed: `--config`, `-c`.
    var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}

extension Verb {
    /// What its operands may be.
    var words: CompletionWords { choices.isEmpty ? CompletionWords(placeholder: operands) : .choices(choices) }

    /// What a shell shows beside the name: the first line of its summary.
    var title: String { String(summary.prefix { $0 != "\n" }) }
}
