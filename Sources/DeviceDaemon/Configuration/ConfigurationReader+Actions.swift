internal import DeviceKit

extension ConfigurationReader {
    /// What `do` holds: one action or a list of them.
    mutating func actions(_ node: YAMLNode) -> [Rule.Action] {
        if node.items.isEmpty {
            diagnostics.report(node.position, "expected \(DeviceMember.command.expectation); found \(node.found)")
        }
        return node.items.compactMap { action($0) }
    }

    /// `camera.capture`, `sign.show: HELLO`, or `arm.sweep: { from: 20deg, to: 160deg }`.
    private mutating func action(_ node: YAMLNode) -> Rule.Action? {
        if let text = node.text { return action(text, at: node.position, arguments: nil) }
        guard let entries = node.entries, let first = entries.first else {
            diagnostics.report(
                node.position, "expected \(DeviceMember.command.expectation); found \(node.found)")
            return nil
        }
        for entry in entries.dropFirst() {
            diagnostics.report(
                entry.keyPosition,
                "\(quoted(entry.key)) stands beside \(quoted(first.key)); indent it further if it is an argument, "
                    + "or begin another action with '- '")
        }
        // What stands beside may be its arguments; without them it is not called incomplete.
        guard entries.count == 1 || !first.value.isEmpty else { return nil }
        return action(first.key, at: first.keyPosition, arguments: first.value)
    }

    private mutating func action(_ text: String, at position: SourcePosition, arguments: YAMLNode?) -> Rule.Action? {
        guard let (device, name) = reference(text, .command, at: position) else { return nil }
        guard let command = driversByDevice[device]?.commands.first(where: { $0.name == name }) else { return nil }
        let owner = "command \(printable(device)).\(name)"
        guard let entries = self.arguments(arguments, of: command, owner) else { return nil }
        let reading = options(entries, command.arguments, "argument", of: owner, at: position)
        return Rule.Action(
            device: device, command: Command(name: name, arguments: reading.values), texts: reading.texts)
    }

    /// The arguments by name: a mapping has them so, and anything else is the first one.
    mutating func arguments(
        _ node: YAMLNode?, of command: CommandDescription, _ owner: String
    ) -> [YAMLNode.Entry]? {
        guard let node, !node.isEmpty else { return [] }
        if let entries = node.entries { return entries }
        guard let first = command.arguments.first else {
            diagnostics.report(node.position, "\(owner) takes no arguments; found \(node.found)")
            return nil
        }
        return [YAMLNode.Entry(key: first.name, keyPosition: node.position, value: node)]
    }
}
