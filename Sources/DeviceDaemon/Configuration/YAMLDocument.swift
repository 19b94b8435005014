/// The one document of a YAML file, and what is wrong with it as YAML.
///
/// Any bytes end in a document or in problems. Anchors, aliases and tags are refused: a file for a handful of
/// parts reads better without them, and an alias is how a small file becomes a huge tree.
struct YAMLDocument {
    /// Far above a configuration for every part that a board has lines for.
    static let sizeLimit = 1 << 20
    /// A configuration needs eight levels.
    static let depthLimit = 32

    /// The levels at which a file that breaks off in bad YAML is still worth reading: its sections, and what is
    /// complete in them.
    private static let sectionDepth = 2

    /// `nil` where nothing could be read.
    private(set) var root: YAMLNode?
    private(set) var problems: [YAMLProblem] = []
    /// Bad YAML ended the reading: what comes after is missing from the tree, and nobody knows what it says.
    private(set) var isCut = false

    /// `empty` is what to say of a file without content.
    init(_ source: [UInt8], empty: String = "the file is empty; it needs a name at least: 'device: porch'") {
        do {
            // Windows editors begin a file with a byte order mark, which libyaml would count as a column.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            root = try compose(source.starts(with: mark) ? Array(source.dropFirst(mark.count)) : source, empty: empty)
        } catch {
            problems.append(error)
        }
    }

    private mutating func compose(_ source: [UInt8], empty: String) throws(YAMLProblem) -> YAMLNode {
        guard source.count <= Self.sizeLimit else {
            throw YAMLProblem(
                position: .start, message: "the file has \(source.count) bytes; at most \(Self.sizeLimit) are read")
        }
        guard let events = YAMLEventReader(source) else {
            throw YAMLProblem(position: .start, message: "there is not enough memory to read it")
        }
        var root: YAMLNode?
        while true {
            let event = try events.next()
            switch event.kind {
            case .documentStart where root == nil:
                let node = try node(try events.next(), events, depth: 1)
                if isCut { return node }
                root = node
            case .documentStart:
                throw YAMLProblem(
                    position: event.position, message: "a second document begins here; only one is read, without '---'")
            case .streamEnd:
                guard let root, !root.isEmpty else {
                    throw YAMLProblem(position: .start, message: empty)
                }
                return root
            default: break
            }
        }
    }

    private mutating func node(
        _ event: YAMLEvent, _ events: YAMLEventReader, depth: Int
    ) throws(YAMLProblem) -> YAMLNode {
        guard depth <= Self.depthLimit else {
            throw YAMLProblem(position: event.position, message: "nested deeper than \(Self.depthLimit) levels")
        }
        refuseExtras(of: event)
        switch event.kind {
        case .scalar(let text, let isPlain):
            if text.utf8.contains(0) {
                problems.append(
                    YAMLProblem(position: event.position, message: "a text cannot contain the character \\0"))
            }
            return YAMLNode(content: .scalar(text, isPlain: isPlain), position: event.position)
        case .sequenceStart:
            var nodes: [YAMLNode] = []
            try collect(depth) { document throws(YAMLProblem) in
                guard let next = try document.element(events) else { return false }
                nodes.append(try document.node(next, events, depth: depth + 1))
                return true
            } cut: {
                _ = nodes.popLast()
            }
            return YAMLNode(content: .sequence(nodes), position: event.position)
        case .mappingStart:
            let entries = try mapping(events, depth: depth)
            return YAMLNode(content: .mapping(entries), position: event.position)
        default:
            return YAMLNode(content: .scalar("", isPlain: true), position: event.position)
        }
    }

    private mutating func mapping(
        _ events: YAMLEventReader, depth: Int
    ) throws(YAMLProblem) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var lines: [String: Int] = [:]
        try collect(depth) { document throws(YAMLProblem) in
            guard let next = try document.element(events) else { return false }
            let key = try document.node(next, events, depth: depth + 1)
            let value = try document.node(try events.next(), events, depth: depth + 1)
            if let problem = Self.problem(with: key, lines) {
                document.problems.append(problem)
            } else if let name = key.text {
                lines[name] = key.position.line
                entries.append(YAMLNode.Entry(key: name, keyPosition: key.position, value: value))
            }
            return true
        } cut: {
            _ = entries.popLast()
        }
        return entries
    }

    private static func problem(with key: YAMLNode, _ lines: [String: Int]) -> YAMLProblem? {
        guard let name = key.text else {
            return YAMLProblem(position: key.position, message: "expected a name; found \(key.found)")
        }
        guard let line = lines[name] else { return nil }
        return YAMLProblem(
            position: key.position, message: "\(quoted(name)) is given twice; first in line \(line)")
    }

    /// Reads the elements of a collection: `read` takes one, and returns `false` at the end.
    ///
    /// Bad YAML in one of the outer collections ends it there. What was complete before is kept, apart from the
    /// last element, which may have swallowed the beginning of what is bad: `cut` drops that.
    private mutating func collect(
        _ depth: Int, _ read: (inout YAMLDocument) throws(YAMLProblem) -> Bool, cut: () -> Void
    ) throws(YAMLProblem) {
        do {
            while !isCut, try read(&self) {}
        } catch {
            guard depth <= Self.sectionDepth, error.isSyntax else { throw error }
            problems.append(error)
            isCut = true
            cut()
        }
    }

    /// The next event, or `nil` at the end of the collection.
    private func element(_ events: YAMLEventReader) throws(YAMLProblem) -> YAMLEvent? {
        let event = try events.next()
        if case .end = event.kind { return nil }
        return event
    }

    private mutating func refuseExtras(of event: YAMLEvent) {
        func refuse(_ text: String, _ what: String) {
            problems.append(
                YAMLProblem(
                    position: event.position,
                    message: "\(quoted(text)) is \(what) of YAML, which Perch does not take; "
                        + "write the value itself, or quotes around a text"))
        }
        if case .alias(let name) = event.kind { refuse("*" + name, "an alias") }
        if let anchor = event.anchor { refuse("&" + anchor, "an anchor") }
        if let tag = event.tag { refuse(tag, "a tag") }
    }
}
