/// A manual page in the language of man(7).
struct Roff {
    private(set) var text = ""
    /// A heading begins a paragraph by itself.
    private var isBelowHeading = false

    init(name: String, section: Int, title: String) {
        text = ".TH \(Self.escaped(name).uppercased()) \(section) \"\" \"perch\"\n.SH NAME\n"
        text += "\(Self.escaped(name)) \\- \(Self.escaped(title))\n"
    }

    mutating func section(_ title: String) { head(".SH \(Self.escaped(title.uppercased()))\n") }
    mutating func subsection(_ title: String) { head(".SS \(Self.escaped(title))\n") }

    mutating func paragraph(_ words: String) { add("\(Self.escaped(words))\n") }

    private mutating func head(_ line: String) {
        text += line
        isBelowHeading = true
    }

    private mutating func add(_ paragraph: String) {
        text += (isBelowHeading ? "" : ".PP\n") + paragraph
        isBelowHeading = false
    }

    /// Lines that keep their form.
    mutating func example(_ lines: String) {
        text += ".PP\n.RS 4\n.nf\n\(Self.escaped(lines))\n.fi\n.RE\n"
        isBelowHeading = false
    }

    /// A heading in bold, and what it is, indented; each further line of it begins on a line of its own.
    mutating func item(_ tag: String, _ words: String) {
        let lines = words.split(separator: "\n", omittingEmptySubsequences: true).map { Self.escaped(String($0)) }
        isBelowHeading = false
        text += ".TP\n\\fB\(Self.escaped(tag))\\fR\n\(lines.joined(separator: "\n.br\n"))\n"
    }

    mutating func table(_ title: String, _ rows: [(String, String)]) {
        add("\\fI\(Self.escaped(title))\\fR\n")
        for row in rows { item(row.0, row.1) }
    }

    /// A backslash and a hyphen mean something to roff, and so does a dot or a quote that begins a line.
    static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let safe = line.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
                .replacing("^", with: "\\(ha").replacing("`", with: "\\(ga").replacing("'", with: "\\(aq")
            return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&\(safe)" : String(safe)
        }.joined(separator: "\n")
    }
}
