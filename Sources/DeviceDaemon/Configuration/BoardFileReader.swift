internal import LinuxPeripherals

extension BoardProfile {
    /// Reads a board's file (docs/boards.md). Throws everything that is wrong in it.
    static func read(_ source: [UInt8], file: String) throws(ConfigurationError) -> BoardProfile {
        var reader = BoardFileReader(file: file)
        let profile = reader.read(source)
        if let error = reader.diagnostics.error { throw error }
        return profile
    }
}

/// Reads a board from its YAML, and goes on after each error to find the others.
private struct BoardFileReader {
    var diagnostics: DiagnosticCollector

    private static let keys = ["name", "gpio-chips", "lines", "pwm", "i2c", "spi", "serial"]

    init(file: String) { diagnostics = DiagnosticCollector(file: file) }

    mutating func read(_ source: [UInt8]) -> BoardProfile {
        var profile = BoardProfile(name: "")
        let document = YAMLDocument(source)
        diagnostics.report(document.problems)
        guard let root = document.root else { return profile }
        guard let entries = mapping(root, "a mapping with the keys \(Self.keys.joined(separator: ", "))") else {
            return profile
        }
        for entry in entries {
            switch entry.key {
            case "name": profile.name = name(entry.value)
            case "gpio-chips": profile.gpioChipLabels = labels(entry.value)
            case "lines": profile.lines = lines(entry.value)
            case "pwm": profile.pwmChannels = channels(entry.value)
            case "i2c": profile.i2cBuses = nodes(entry.value, example: "I2C1: /dev/i2c-1")
            case "spi": profile.spiTargets = nodes(entry.value, example: "SPI0.0: /dev/spidev0.0")
            case "serial": profile.serialPorts = nodes(entry.value, example: "SERIAL0: /dev/ttyS1")
            default:
                diagnostics.report(
                    entry.keyPosition, "unknown key \(quoted(entry.key)); \(advice(for: entry.key, among: Self.keys))")
            }
        }
        if entries["name"] == nil && !document.isCut {
            diagnostics.report(root.position, "'name' is missing: the board's name, such as 'name: orange-pi-zero'")
        }
        if let node = entries["lines"], entries["gpio-chips"] == nil {
            diagnostics.report(
                node.position, "'lines' need 'gpio-chips': the label of the chip whose lines they are (see gpiodetect)")
        }
        return profile
    }

    // MARK: Parts

    private mutating func name(_ node: YAMLNode) -> String {
        guard let text = node.text, isName(text) else {
            diagnostics.report(
                node.position, "expected a name of letters, digits, '.', '_' or '-'; found \(node.found)")
            return ""
        }
        return text
    }

    private mutating func labels(_ node: YAMLNode) -> [String] {
        node.items.compactMap { item in
            if let text = item.text { return text }
            diagnostics.report(
                item.position, "expected the label of a GPIO chip, such as pinctrl-rp1; found \(item.found)")
            return nil
        }
    }

    private mutating func lines(_ node: YAMLNode) -> [String: Int] {
        var names: [Int: String] = [:]
        var lines: [String: Int] = [:]
        for entry in named(node, "a mapping of line names to offsets on the chip, such as LED: 17") {
            guard let offset = number(entry.value, 0...65535, "a line's offset on its chip, such as 17") else {
                continue
            }
            if let other = names[offset] {
                diagnostics.report(
                    entry.value.position, "\(quoted(entry.key)) and \(quoted(other)) are both line \(offset)")
            }
            names[offset] = entry.key
            lines[entry.key] = offset
        }
        return lines
    }

    private mutating func channels(_ node: YAMLNode) -> [String: BoardProfile.PWMChannel] {
        let example = "PWM0: { device: fe20c000.pwm, channel: 0 }"
        var channels: [String: BoardProfile.PWMChannel] = [:]
        for entry in named(node, "a mapping of PWM channels, such as \(example)") {
            guard let parts = mapping(entry.value, "a chip's device and a channel, such as \(example)") else {
                continue
            }
            for part in parts where part.key != "device" && part.key != "channel" {
                diagnostics.report(
                    part.keyPosition,
                    "unknown key \(quoted(part.key)); \(advice(for: part.key, among: ["device", "channel"]))")
            }
            guard let device = parts["device"], let channel = parts["channel"] else {
                diagnostics.report(
                    entry.keyPosition, "\(quoted(entry.key)) needs a 'device' and a 'channel': \(example)")
                continue
            }
            guard let text = device.text else {
                diagnostics.report(
                    device.position, "expected the device behind the chip, such as fe20c000.pwm; found \(device.found)")
                continue
            }
            guard let number = number(channel, 0...255, "a channel's number, such as 0") else { continue }
            channels[entry.key] = BoardProfile.PWMChannel(devices: [text], channel: number)
        }
        return channels
    }

    private mutating func nodes(_ node: YAMLNode, example: String) -> [String: String] {
        var nodes: [String: String] = [:]
        for entry in named(node, "a mapping of names to device nodes, such as \(example)") {
            guard let path = entry.value.text, path.hasPrefix("/dev/"), path.count > 5 else {
                diagnostics.report(
                    entry.value.position, "expected a device node, as in \(example); found \(entry.value.found)")
                continue
            }
            nodes[entry.key] = path
        }
        return nodes
    }

    // MARK: Kinds of nodes

    private mutating func mapping(_ node: YAMLNode, _ expectation: String) -> [YAMLNode.Entry]? {
        if let entries = node.entries { return entries }
        diagnostics.report(node.position, "expected \(expectation); found \(node.found)")
        return nil
    }

    /// The entries of a mapping whose keys are names that options can give.
    private mutating func named(_ node: YAMLNode, _ expectation: String) -> [YAMLNode.Entry] {
        (mapping(node, expectation) ?? []).filter { entry in
            if isName(entry.key) { return true }
            diagnostics.report(
                entry.keyPosition, "\(quoted(entry.key)) cannot be a name; it has letters, digits, '.', '_' or '-'")
            return false
        }
    }

    private mutating func number(_ node: YAMLNode, _ range: ClosedRange<Int>, _ expectation: String) -> Int? {
        if let number = node.text.flatMap({ Int($0) }), range.contains(number) { return number }
        diagnostics.report(node.position, "expected \(expectation); found \(node.found)")
        return nil
    }

    private func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
