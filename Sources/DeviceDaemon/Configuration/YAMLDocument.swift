/// The one document of a YAML file, and what is wrong with it as YAML.
///
/// Any bytes end in a document or in problems. Anchors, aliases and tags are refused: a file for a handful of
/// parts reads better without them, and an alias is how a small file becomes a huge tree.
struct YAMLDocument {
    /// Far above a configuration for every part that a board has lines for.
    static let sizeLimit = 1 << 20
    /// A configuration needs eight levels.
    static let depthLimit = 32

    /// `nil` where a problem ended the reading.
    private(set) var root: YAMLNode?
    private(set) var problems: [YAMLProblem] = []

    init(_ source: [UInt8]) {
        do {
            // Windows editors begin a file with a byte order mark, which libyaml would count as a column.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            root = try compose(source.starts(with: mark) ? Array(source.dropFirst(mark.count)) : source)
        } catch {
            problems.append(error)
        }
    }

    private mutating func compose(_ source: [UInt8]) throws(YAMLProblem) -> YAMLNode {
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
            case .documentStart where root == nil: root = try node(try events.next(), events, depth: 1)
            case .documentStart:
                throw YAMLProblem(
                    position: event.position, message: "a second document begins here; only one is read, without '---'")
            case .streamEnd:
                guard let root, !root.isEmpty else {
                    throw YAMLProblem(
                        position: .start, message: "the file is empty; it needs a name at least: 'device: porch'")
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
            while let next = try element(events) { nodes.append(try node(next, events, depth: depth + 1)) }
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
        while let next = try element(events) {
            let key = try node(next, events, depth: depth + 1)
            let value = try node(try events.next(), events, depth: depth + 1)
            guard let name = key.text else {
                problems.append(YAMLProblem(position: key.position, message: "expected a name; found \(key.found)"))
                continue
            }
            if let line = lines[name] {
                problems.append(
                    YAMLProblem(
                        position: key.position,
                        message: "\(quoted(name)) is given twice; first in line \(line)"))
                continue
            }
            lines[name] = key.position.line
            entries.append(YAMLNode.Entry(key: name, keyPosition: key.position, value: value))
        }
        return entries
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
