import DeviceKit

/// Tables for a terminal.
enum Table {
    /// Two columns; further lines of the second one are indented below its first.
    static func text(_ rows: [(String, String)], indent: String = "") -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let margin = indent + String(repeating: " ", count: width + 2)
            let first = indent + name + String(repeating: " ", count: width + 2 - name.count) + (lines.first ?? "")
            return ([first] + lines.dropFirst().map { margin + $0 }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// What a person needs to know of an option.
    static func row(_ option: OptionDescription) -> (String, String) {
        let standard = option.defaultText.map { $0.isEmpty ? "none" : $0 }
        return (
            option.name,
            "\(option.summary)\n\(option.expectation); \(standard.map { "default: \($0)" } ?? "must be given")"
        )
    }
}
