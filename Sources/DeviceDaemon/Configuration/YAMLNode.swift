/// A part of a YAML document, with the place where it stands.
///
/// Every scalar is text: YAML's own guesses (`off` is false, `0x70` is 112) never apply, because the option that
/// takes the text knows what it means.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        /// `isPlain` is false for a text in quotes or in a block (`|`, `>`).
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the file, every key once.
        case mapping([Entry])
    }

    struct Entry: Sendable {
        var key: String
        var keyPosition: SourcePosition
        var value: YAMLNode
    }

    var content: Content
    var position: SourcePosition

    /// Whether nothing is written here, as after `pin:`.
    var isEmpty: Bool {
        if case .scalar("", isPlain: true) = content { return true }
        return false
    }

    /// The text of a scalar that is there.
    var text: String? {
        guard !isEmpty, case .scalar(let text, _) = content else { return nil }
        return text
    }

    var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The elements of a list, or the one thing that stands in place of a list.
    var items: [YAMLNode] {
        guard case .sequence(let nodes) = content else { return [self] }
        return nodes
    }

    /// Completes "found …".
    var found: String {
        switch content {
        case .scalar(let text, _): isEmpty ? "nothing" : quoted(text)
        case .sequence(let nodes): nodes.isEmpty ? "an empty list" : Self.list(nodes)
        case .mapping: "a mapping"
        }
    }

    /// `[90deg, 0deg]`, if it is short and plain.
    private static func list(_ nodes: [YAMLNode]) -> String {
        let texts = nodes.prefix(4).compactMap(\.text)
        return texts.count == nodes.count ? "[\(texts.map(printable).joined(separator: ", "))]" : "a list"
    }
}
