// How text of a file appears in messages and tables.

/// The text in quotes, on one line: escaped where it would not print (or would command the terminal), and cut
/// where it is long.
func quoted(_ text: String) -> String { "'\(printable(text))'" }

/// The text on one line.
func printable(_ text: String) -> String {
    let limit = 60
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            result += scalar.escaped(asASCII: true)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.dropFirst(limit).isEmpty ? result : result + "…"
}

/// `did you mean 'pull'?` if a name is close, and otherwise which ones there are.
func advice(for text: String, among names: [String]) -> String {
    suggestion(for: text, among: names).map { "did you mean \(quoted($0))?" } ?? listing(names)
}

/// `there are pin, pull, settle`
func listing(_ names: [String]) -> String {
    let limit = 20
    let shown = names.prefix(limit).map(printable).joined(separator: ", ")
    switch names.count {
    case 0: return "there are none"
    case 1: return "there is only \(shown)"
    case ...limit: return "there are \(shown)"
    default: return "there are \(shown) and \(names.count - limit) more"
    }
}
