/// Reads the elements of a small XML document by name: as much as the answers of storage servers need. Anything that is
/// not well-formed has no elements, or fewer.
struct XMLText {
    private let text: String

    init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    private init(_ text: String) { self.text = text }

    /// What stands in the first element with this name, at any depth, with its references resolved.
    func value(_ name: String) -> String? { elements(name, limit: 1).first.map { Self.resolved($0.text) } }

    /// The elements with this name, each with what stands in it.
    func elements(_ name: String, limit: Int = .max) -> [XMLText] {
        var found: [XMLText] = []
        var rest = text[...]
        while found.count < limit, let start = Self.opening(of: name, in: rest) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: "</\(name)>") else { break }
            found.append(XMLText(String(rest[..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// `<Name>` or `<Name xmlns="…">`, but not `<Names>`.
    private static func opening(of name: String, in text: Substring) -> Range<Substring.Index>? {
        var rest = text
        while let start = rest.firstRange(of: "<\(name)") {
            rest = rest[start.upperBound...]
            guard let next = rest.first, next == ">" || next.isWhitespace, let close = rest.firstIndex(of: ">") else {
                continue
            }
            return start.lowerBound..<rest.index(after: close)
        }
        return nil
    }

    private static func resolved(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return [("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
