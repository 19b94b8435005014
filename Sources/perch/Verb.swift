/// One of the things that `perch` does.
struct Verb: Sendable {
    /// An option of the command line: `--for 24h`, `-c FILE`, or a switch without a value.
    struct Flag: Sendable {
        let name: String
        var letter: Character?
        /// What stands for the value in the help; `nil` for a switch.
        var value: String?
        let summary: String
    }

    let name: String
    let summary: String
    /// What follows the flags, for the help: `FILE…`.
    var operands = ""
    /// The words that an operand may be, where they are known.
    var choices: [String] = []
    var flags: [Flag] = []
    let run: @Sendable (Arguments) throws -> ExitCode

    var help: String {
        let usage = "usage: perch \(name)\(flags.isEmpty ? "" : " [options]")\(operands.isEmpty ? "" : " \(operands)")"
        let rows = flags.map { flag -> (String, String) in
            let letter = flag.letter.map { "-\($0), " } ?? "    "
            return ("\(letter)--\(flag.name)\(flag.value.map { " \($0)" } ?? "")", flag.summary)
        }
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
        return ([usage, summary] + (lines.isEmpty ? [] : [""] + lines)).joined(separator: "\n")
    }
}

/// The words of a command line after the verb, sorted into flags and operands.
struct Arguments {
    private let verb: String
    private var values: [String: [String]] = [:]
    private(set) var operands: [String] = []

    init(_ words: some Sequence<String>, for verb: Verb) throws {
        self.verb = verb.name
        var words = Array(words)[...]
        while let word = words.popFirst() {
            // A number below zero is one: `perch send wheel turn -50%`.
            let isNumber = word.dropFirst().first.map { $0.isNumber || $0 == "." } ?? true
            guard word.hasPrefix("-"), !isNumber else {
                operands.append(word)
                continue
            }
            if word == "--" {
                operands += words
                return
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let flag = verb.flags.first { flag in
                parts[0] == "--\(flag.name)" || flag.letter.map { parts[0] == "-\($0)" } ?? false
            }
            guard let flag else { throw Self.wrong(verb, "unknown option \(parts[0])") }
            guard let placeholder = flag.value else {
                guard parts.count == 1 else { throw Self.wrong(verb, "--\(flag.name) takes no value") }
                values[flag.name, default: []].append("")
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
                throw Self.wrong(verb, "--\(flag.name) needs a value: --\(flag.name) \(placeholder)")
            }
            values[flag.name, default: []].append(value)
        }
    }

    /// The last value of a flag.
    subscript(flag: String) -> String? { values[flag]?.last }

    /// All values of a flag that may be given several times.
    func all(_ flag: String) -> [String] { values[flag] ?? [] }

    /// The flag's value, or the default's, read by `parse`.
    func value<Value>(
        _ flag: String, default standard: String, expected: String, parse: (String) -> Value?
    ) throws -> Value {
        let text = self[flag] ?? standard
        guard let value = parse(text) else {
            throw CommandFailure(.usage, "perch \(verb): --\(flag): expected \(expected); found '\(text)'")
        }
        return value
    }

    func has(_ flag: String) -> Bool { values[flag] != nil }

    private static func wrong(_ verb: Verb, _ message: String) -> CommandFailure {
        CommandFailure(.usage, "perch \(verb.name): \(message)\n\(verb.help)")
    }
}
