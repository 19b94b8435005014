internal import DeviceKit

/// What a file gives for a table of options.
struct OptionReading {
    var values = OptionValues()
    var texts: [OptionText] = []
    /// Where each option's value stands.
    var positions: [String: SourcePosition] = [:]
    /// Whether everything that is needed is there and right.
    var isValid = true
}

/// A device that an option names, and the driver that it must have.
struct DeviceMention {
    var name: String
    var driver: String
    var option: String
    var position: SourcePosition
}

/// Stands in place of a value that was refused: reading it throws, where leaving it out would give the default.
private struct RefusedValue: Sendable {}

extension ConfigurationReader {
    /// Reads options, or a command's arguments, by their table.
    ///
    /// `noun` and `owner` are for messages: `option` of `driver button`, `argument` of `command sign.show`.
    mutating func options(
        _ entries: [YAMLNode.Entry], _ table: [OptionDescription], _ noun: String, of owner: String,
        at position: SourcePosition
    ) -> OptionReading {
        var reading = OptionReading()
        var values: [String: any Sendable] = [:]
        let known = table.map(\.name)
        let meant = reportUnknown(noun, in: entries, of: owner, known: known)
        reading.isValid = entries.allSatisfy { known.contains($0.key) }
        for option in table {
            guard let node = entries[option.name] else {
                if let text = option.defaultText { checkPeripheral(text, of: option, at: position) }
                guard option.isRequired, !meant.contains(option.name) else { continue }
                diagnostics.report(
                    position, "\(noun) '\(option.name)' of \(owner) is missing; expected \(option.expectation)")
                reading.isValid = false
                continue
            }
            reading.positions[option.name] = node.position
            if let input = node.optionInput, let value = option.parse(input) {
                values[option.name] = value
                for text in input.texts {
                    checkPeripheral(text, of: option, at: node.position)
                    guard let driver = option.driver else { continue }
                    deviceMentions.append(
                        DeviceMention(name: text, driver: driver, option: option.name, position: node.position))
                }
                reading.texts.append(OptionText(name: option.name, text: text(of: input)))
            } else {
                diagnostics.report(
                    node.position, "\(option.name): expected \(option.expectation); found \(node.found)")
                values[option.name] = RefusedValue()
                reading.isValid = false
            }
        }
        reading.values = OptionValues(values)
        return reading
    }

    /// Reports a name that the board does not have, where the board and its names are known.
    private mutating func checkPeripheral(_ text: String, of option: OptionDescription, at position: SourcePosition) {
        if text == option.absence { return }
        guard let kind = option.peripheral, let board, let names = board.peripherals[kind] else { return }
        // A serial port can be any that there is.
        if names.contains(text) || (kind == .serialPort && text.hasPrefix("/")) { return }
        diagnostics.report(
            position,
            "\(option.name): \(printable(board.name)) has no \(kind.rawValue) \(quoted(text)); "
                + advice(for: text, among: names))
    }

    private func text(of input: OptionInput) -> String {
        switch input {
        case .scalar(let text): display(text)
        case .list(let texts): "[\(texts.map(display).joined(separator: ", "))]"
        }
    }

    /// In quotes unless it is a word.
    private func display(_ text: String) -> String {
        let isWord =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.:/+@%".unicodeScalars.contains($0)
            }
        return isWord ? printable(text) : "\"\(printable(text))\""
    }
}

extension YAMLNode {
    /// A scalar or a list of scalars.
    fileprivate var optionInput: OptionInput? {
        if let text { return .scalar(text) }
        guard case .sequence(let nodes) = content else { return nil }
        let texts = nodes.compactMap(\.text)
        return texts.count == nodes.count ? .list(texts) : nil
    }
}
