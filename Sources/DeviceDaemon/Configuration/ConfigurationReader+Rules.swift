internal import DeviceKit

extension ConfigurationReader {
    mutating func rules(_ node: YAMLNode) -> [Rule] {
        guard case .sequence(let nodes) = node.content else {
            diagnostics.report(
                node.position, "expected a list of rules, each such as '- when: bell.pressed'; found \(node.found)")
            return []
        }
        return nodes.enumerated().map { index, node in rule(node, number: index + 1) }
    }

    private mutating func rule(_ node: YAMLNode, number: Int) -> Rule {
        var rule = Rule(
            name: "rule \(number)", when: [], unless: [], onlyWhile: [], actions: [], line: node.position.line)
        let keys = ["name", "when", "unless", "while", "do"]
        guard let entries = mapping(node, "a rule with 'when' and 'do'") else { return rule }
        let meant = reportUnknown("key", in: entries, of: "a rule", known: keys)
        if let node = entries["name"] {
            if let text = node.text {
                rule.name = text
            } else {
                diagnostics.report(node.position, "expected a name for the rule; found \(node.found)")
            }
        }
        if let node = entries["when"] {
            for reference in references(node, .event) {
                rule.when.append(EventReference(device: reference.device, event: reference.name))
            }
        } else if !meant.contains("when") {
            diagnostics.report(node.position, "'when' of the rule is missing: an event, such as bell.pressed")
        }
        rule.unless = states(entries["unless"])
        rule.onlyWhile = states(entries["while"])
        if let node = entries["do"] {
            rule.actions = actions(node)
        } else if !meant.contains("do") {
            diagnostics.report(node.position, "'do' of the rule is missing: a command, such as sign.clear")
        }
        return rule
    }

    private mutating func states(_ node: YAMLNode?) -> [StateReference] {
        guard let node else { return [] }
        return references(node, .state).map { StateReference(device: $0.device, state: $0.name) }
    }

    /// One reference or a list of them.
    private mutating func references(_ node: YAMLNode, _ kind: DeviceMember) -> [(device: String, name: String)] {
        if node.items.isEmpty {
            diagnostics.report(node.position, "expected \(kind.expectation); found \(node.found)")
        }
        return node.items.compactMap { node in
            guard let text = node.text else {
                diagnostics.report(node.position, "expected \(kind.expectation); found \(node.found)")
                return nil
            }
            return reference(text, kind, at: node.position)
        }
    }
}
