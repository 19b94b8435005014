internal import DeviceKit

extension Configuration {
    /// The configuration as a person checks it against the wires on the table: each device with what it needs
    /// for itself, the rules in words, and the storage. Ends with a newline.
    public var wiringTable: String {
        var sections = ["\(name) on board \(board)"]
        if !devices.isEmpty {
            let rows = devices.map { device in
                [
                    device.name, device.driver.name, device.claims.map { printable($0.name) }.joined(separator: ", "),
                    text(device.texts),
                ]
            }
            sections.append(aligned([["device", "driver", "uses", "options"]] + rows))
        }
        if !rules.isEmpty {
            sections.append(aligned([["rule", "what it does"]] + rules.map { [printable($0.name), words(of: $0)] }))
        }
        if !storage.isEmpty {
            let rows = storage.map { [$0.name, $0.backend.name, text($0.texts)] }
            sections.append(aligned([["storage", "backend", "options"]] + rows))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// `when motion.started, unless arm.moving: arm.sweep from 20deg to 160deg, then camera.capture`
    private func words(of rule: Rule) -> String {
        var words = "when " + rule.when.map(\.description).joined(separator: " or ")
        if !rule.unless.isEmpty { words += ", unless " + rule.unless.map(\.description).joined(separator: " or ") }
        if !rule.onlyWhile.isEmpty {
            words += ", while " + rule.onlyWhile.map(\.description).joined(separator: " and ")
        }
        let actions = rule.actions.map { action in
            let arguments = action.texts.map { " \($0.name) \($0.text)" }.joined()
            return "\(action.device).\(action.command.name)\(arguments)"
        }
        return words + ": " + actions.joined(separator: ", then ")
    }

    private func text(_ options: [OptionText]) -> String {
        options.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
    }
}
