internal import CYAML

extension YAMLProblem {
    /// What libyaml's parser stopped at, with what a person would do about it.
    init(_ parser: yaml_parser_t, _ source: [UInt8]) {
        let problem = parser.problem.map { String(cString: $0) } ?? "there is not enough memory to read it"
        switch parser.error {
        case YAML_READER_ERROR:
            self.init(
                position: SourcePosition(ofByte: parser.problem_offset, in: source),
                message: problem == "control characters are not allowed"
                    ? "not valid YAML: a control character; remove it, or write it as an escape in double quotes"
                    : "not UTF-8 text: save the file in the encoding UTF-8")
        case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
            let found = SourcePosition(parser.problem_mark)
            let advice = Self.advice(for: problem, at: found, in: source) ?? problem
            let context = parser.context.map { String(cString: $0) }
            let beginning = SourcePosition(parser.context_mark)
            switch context {
            case "while parsing a flow mapping", "while parsing a flow sequence":
                let bracket = context == "while parsing a flow mapping" ? "{" : "["
                self.init(
                    position: found,
                    message: "not valid YAML: \(advice) (the '\(bracket)' is in line \(beginning.line))")
            case "while scanning a simple key", "while scanning a quoted scalar":
                // What is missing is noticed lines later; the person looks for where it begins.
                self.init(position: beginning, message: "not valid YAML: \(advice)")
            default:
                self.init(position: found, message: "not valid YAML: \(advice)")
            }
        default:
            self.init(position: .start, message: "not valid YAML: \(problem)")
        }
        isSyntax = [YAML_SCANNER_ERROR, YAML_PARSER_ERROR].contains(parser.error)
    }

    /// libyaml 0.2.5 says what its grammar lacks; this says what a person probably did.
    private static func advice(for problem: String, at position: SourcePosition, in source: [UInt8]) -> String? {
        switch problem {
        case "mapping values are not allowed in this context":
            "a ':' where no value can begin; put quotes around a text that contains ': ', and check the indentation"
        case "did not find expected key":
            "this does not line up with the lines above; entries of one mapping begin in the same column"
        case "did not find expected '-' indicator":
            "this does not line up with the list above; its items begin with '- ' in the same column"
        case "did not find expected ',' or '}'": "a ',' or a '}' is missing before this"
        case "did not find expected ',' or ']'": "a ',' or a ']' is missing before this"
        case "could not find expected ':'": "this needs ': ' and a value, or '- ' in front"
        case "found unexpected end of stream": "the closing quote is missing"
        case "did not find expected node content": "a value is missing before this"
        case "found unknown escape character":
            "an escape that YAML does not have; a backslash is written '\\\\', or as it is in single quotes"
        case "found character that cannot start any token": badStart(at: position, in: source)
        default: nil
        }
    }

    private static func badStart(at position: SourcePosition, in source: [UInt8]) -> String? {
        let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.indices.contains(position.line - 1) else { return nil }
        let line = String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars.dropFirst(
            position.column - 1)
        guard let scalar = line.first else { return nil }
        return scalar == "\t"
            ? "a tab where only spaces may stand; indent with spaces"
            : "a text cannot begin with \(quoted(String(scalar))) unless it is in quotes"
    }
}
