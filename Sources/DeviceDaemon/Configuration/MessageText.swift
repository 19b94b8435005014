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
public func advice(for text: String, among names: [String]) -> String {
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

/// Rows of equally many cells, in columns two spaces apart.
func aligned(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
        for (column, cell) in row.enumerated() {
            if column == widths.count { widths.append(0) }
            widths[column] = max(widths[column], cell.count)
        }
    }
    return rows.map { row in
        var line = ""
        var width = 0
        for (column, cell) in row.enumerated() where !cell.isEmpty {
            let start = widths[..<column].reduce(0) { $0 + $1 + 2 }
            line += String(repeating: " ", count: start - width) + cell
            width = start + cell.count
        }
        return line
    }.joined(separator: "\n")
}

/// A time span to the precision that a person wants: `12 s`, `3 min`, `4 h`, `2 d`.
func rough(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return switch seconds {
    case ..<120: "\(max(0, seconds)) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86400) d"
    }
}
