import DeviceKit
import DeviceRuntime
import Peripherals

extension ScenarioReader {
    private static let example = "what is expected, such as { event: bell.pressed } or { sign.text: HEY! }"
    private static let occurrences = ["event", "rule", "command", "record", "log"]
    /// What may stand beside each of them.
    private static let qualifiers = [
        "event": ["with"], "rule": [], "command": ["with"], "record": ["with", "at", "file"], "log": ["level", "from"],
    ]

    /// What `expect`, `never` or `always` hold: one expectation or several.
    mutating func subjects(_ node: YAMLNode) -> [(ScenarioExpectation.Subject, SourcePosition)] {
        if node.items.isEmpty {
            base.diagnostics.report(node.position, "expected \(Self.example); found \(node.found)")
        }
        return node.items.flatMap { item -> [(ScenarioExpectation.Subject, SourcePosition)] in
            guard let entries = base.mapping(item, Self.example) else { return [] }
            if let entry = entries.first(where: { Self.occurrences.contains($0.key) }) {
                return occurrence(entry, among: entries).map { [(.occurrence($0), item.position)] } ?? []
            }
            return entries.compactMap { entry in
                guard let observable = observable(entry), let condition = condition(of: observable, entry.value)
                else { return nil }
                return (.condition(observable, condition), entry.keyPosition)
            }
        }
    }

    // MARK: What happens

    private mutating func occurrence(_ entry: YAMLNode.Entry, among entries: [YAMLNode.Entry]) -> OccurrencePattern? {
        let known = Self.qualifiers[entry.key] ?? []
        _ = base.reportUnknown(
            "key", in: entries.filter { $0.key != entry.key }, of: "an expected \(entry.key)", known: known)
        guard let text = entry.value.text else {
            base.diagnostics.report(entry.value.position, "\(entry.key): expected a name; found \(entry.value.found)")
            return nil
        }
        guard let kind = kind(entry, text, among: entries) else { return nil }
        let fields = entries["with"].map { self.fields($0, of: kind) } ?? []
        return OccurrencePattern(kind: kind, fields: fields, file: entries["file"].flatMap { condition($0) })
    }

    private mutating func kind(
        _ entry: YAMLNode.Entry, _ text: String, among entries: [YAMLNode.Entry]
    ) -> OccurrencePattern.Kind? {
        let position = entry.value.position
        switch entry.key {
        case "event":
            return base.reference(text, .event, at: position).map {
                .event(EventReference(device: $0.device, event: $0.name))
            }
        case "command":
            return base.reference(text, .command, at: position).map { .command(device: $0.device, $0.name) }
        case "rule":
            let names = configuration.rules.map(\.name)
            if names.contains(text) { return .rule(text) }
            base.reportUnknown("rule", text, at: position, known: names)
            return nil
        case "record":
            let storage = entries["at"].flatMap { self.storage($0) }
            return base.reference(text, .event, at: position).map {
                .record(EventReference(device: $0.device, event: $0.name), storage: storage)
            }
        default:
            return .log(
                text, level: entries["level"].flatMap { level($0) }, source: entries["from"].flatMap { $0.text })
        }
    }

    private mutating func storage(_ node: YAMLNode) -> String? {
        let names = configuration.storage.map(\.name)
        if let text = node.text, names.contains(text) { return text }
        base.reportUnknown("storage", node.text ?? "", at: node.position, known: names)
        return nil
    }

    private mutating func level(_ node: YAMLNode) -> LogEntry.Level? {
        let levels = Dictionary(uniqueKeysWithValues: LogEntry.Level.allCases.map { ("\($0)", $0) })
        if let level = node.text.flatMap({ levels[$0] }) { return level }
        base.diagnostics.report(
            node.position, "level: expected one of \(levels.keys.sorted().joined(separator: ", ")); found \(node.found)"
        )
        return nil
    }

    private mutating func fields(_ node: YAMLNode, of kind: OccurrencePattern.Kind) -> [OccurrencePattern.Field] {
        guard let entries = base.mapping(node, "fields and their values, such as { seconds: 0.2 }") else { return [] }
        switch kind {
        case .event(let reference), .record(let reference, _):
            let driver = base.driversByDevice[reference.device]
            let known = driver?.events.first { $0.name == reference.event }?.fields.map(\.name) ?? []
            _ = base.reportUnknown("field", in: entries, of: "\(reference)", known: known)
        case .command(let device, let name):
            let command = base.driversByDevice[device]?.commands.first { $0.name == name }
            _ = base.reportUnknown(
                "argument", in: entries, of: "command \(device).\(name)",
                known: command?.arguments.map(\.name) ?? [])
        case .rule, .log: break
        }
        return entries.compactMap { entry in
            condition(entry.value).map { OccurrencePattern.Field(name: entry.key, condition: $0) }
        }
    }

    // MARK: What can be looked at

    private mutating func observable(_ entry: YAMLNode.Entry) -> Observable? {
        let position = entry.keyPosition
        if let wire = Wire(entry.key, on: configuration.simulatedNames) {
            switch wire {
            case .line(let name): return .level(line: name)
            case .pwmChannel(let name): return .pulses(channel: name)
            default:
                base.diagnostics.report(
                    position, "\(wire): a \(wire.kind.rawValue) has nothing to look at; look at the part on it")
                return nil
            }
        }
        // `event` that is mistyped is more likely than a device of that name.
        if !entry.key.contains("."), let name = suggestion(for: entry.key, among: Self.occurrences) {
            base.diagnostics.report(position, "unknown key \(quoted(entry.key)); did you mean '\(name)'?")
            return nil
        }
        guard let (device, name) = part(entry.key, at: position, Self.example) else { return nil }
        let model = models.first { $0.driver == device.driver.name }
        let observations = model?.observations.map(\.name) ?? []
        let states = device.driver.states.map(\.name)
        if observations.contains(name) { return .observation(device: device.name, name) }
        if states.contains(name) { return .state(StateReference(device: device.name, state: name)) }
        if name == "health" { return .health(device: device.name) }
        base.reportUnknown(
            "observation or state", name, of: device.name, at: position, known: observations + states + ["health"])
        return nil
    }

    /// What a value has to be like, where it is known which there can be.
    private mutating func condition(of observable: Observable, _ node: YAMLNode) -> ValueCondition? {
        guard let condition = condition(node) else { return nil }
        let words: [String]
        switch observable {
        case .level: words = ["high", "low"]
        case .health: words = DeviceDirectory.Entry.healthWords
        case .state:
            if condition.text.map({ ValueCondition.isYes($0) != nil }) ?? true { return condition }
            base.diagnostics.report(node.position, "\(observable): expected yes or no; found \(node.found)")
            return nil
        case .pulses:
            if condition.text == "on" { return .not("off") }
            if condition.text.map({ $0 == "off" || WrittenNumber($0) != nil }) ?? true { return condition }
            base.diagnostics.report(
                node.position,
                "\(observable): expected on, off or the length of pulses, such as 1500us; found \(node.found)")
            return nil
        case .observation: return condition
        }
        if condition.text.map({ words.contains($0) }) ?? true { return condition }
        base.diagnostics.report(
            node.position, "\(observable): expected one of \(words.joined(separator: ", ")); found \(node.found)")
        return nil
    }

    /// A text or number, or a mapping with `from` and `to`, `not` or `contains`.
    mutating func condition(_ node: YAMLNode) -> ValueCondition? {
        if case .scalar(let text, _) = node.content, !node.isEmpty { return .equal(text) }
        let keys = ["from", "to", "not", "contains"]
        guard let entries = node.entries, !entries.isEmpty else {
            base.diagnostics.report(
                node.position,
                "expected a value, or a mapping with \(keys.joined(separator: ", ")); found \(node.found)")
            return nil
        }
        let meant = base.reportUnknown("key", in: entries, of: "a value", known: keys)
        if let text = entries["not"]?.scalar { return .not(text) }
        if let text = entries["contains"]?.scalar { return .contains(text) }
        guard meant.isEmpty, entries["from"] != nil || entries["to"] != nil else { return nil }
        return .range(from: number(entries["from"]), to: number(entries["to"]))
    }

    private mutating func number(_ node: YAMLNode?) -> WrittenNumber? {
        guard let node else { return nil }
        if let number = node.text.flatMap({ WrittenNumber($0) }) { return number }
        base.diagnostics.report(node.position, "expected a number, such as 90 or 80ms; found \(node.found)")
        return nil
    }
}

extension YAMLNode {
    /// The text of a scalar, which may be empty in quotes.
    fileprivate var scalar: String? {
        if case .scalar(let text, _) = content, !isEmpty { return text }
        return nil
    }
}
