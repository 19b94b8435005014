import DeviceKit
import Peripherals

extension ScenarioReader {
    private static let example = "what happens, such as bell.press or { GPIO17: high }"

    /// What `do` holds: one stimulus or several.
    mutating func stimuli(_ node: YAMLNode) -> [Stimulus] {
        if node.items.isEmpty {
            base.diagnostics.report(node.position, "expected \(Self.example); found \(node.found)")
        }
        return node.items.flatMap { item -> [Stimulus] in
            if let text = item.text { return [stimulus(text, at: item.position, nil)].compactMap { $0 } }
            guard let entries = base.mapping(item, Self.example) else { return [] }
            return entries.compactMap { stimulus($0.key, at: $0.keyPosition, $0.value) }
        }
    }

    private mutating func stimulus(_ text: String, at position: SourcePosition, _ value: YAMLNode?) -> Stimulus? {
        if let wire = Wire(text, on: configuration.simulatedNames) { return stimulus(wire, at: position, value) }
        guard let (device, name) = part(text, at: position, Self.example) else { return nil }
        guard let model = model(of: device, at: position) else { return nil }
        guard let command = model.stimuli.first(where: { $0.name == name }) else {
            base.reportUnknown(
                "stimulus", name, of: device.name, at: position, known: model.stimuli.map(\.name))
            return nil
        }
        let owner = "stimulus \(device.name).\(name)"
        guard let entries = base.arguments(value, of: command, owner) else { return nil }
        let reading = base.options(entries, command.arguments, "argument", of: owner, at: position)
        guard reading.isValid else { return nil }
        return .part(device: device.name, Command(name: name, arguments: reading.values), texts: reading.texts)
    }

    /// A wire that somebody drives, without a part.
    private mutating func stimulus(_ wire: Wire, at position: SourcePosition, _ value: YAMLNode?) -> Stimulus? {
        let found = value?.found ?? "nothing"
        switch wire {
        case .line(let name):
            switch value?.text {
            case "high": return .level(line: name, .high)
            case "low": return .level(line: name, .low)
            case "let-go": return .level(line: name, nil)
            default: base.diagnostics.report(position, "\(name): expected high, low or let-go; found \(found)")
            }
        case .i2cAddress(let bus, let address):
            guard let entries = value?.entries, !entries.isEmpty else {
                base.diagnostics.report(
                    position, "\(wire): expected registers and bytes, such as { 0x00: [0x1A, 0x80] }; found \(found)")
                return nil
            }
            return .registers(bus: bus, address, entries.compactMap { registers($0) })
        case .serialPort(let name):
            if let text = value?.text { return .serial(port: name, Array(text.utf8)) }
            if let bytes = value.flatMap({ bytes($0) }) { return .serial(port: name, bytes) }
            base.diagnostics.report(position, "\(name): expected a text or a list of bytes; found \(found)")
        case .i2cBus(let name):
            base.diagnostics.report(position, "\(name): expected an address, too, such as '\(name) 0x48'")
        case .pwmChannel, .spiTarget:
            base.diagnostics.report(position, "\(wire): nobody but the program drives a \(wire.kind.rawValue)")
        }
        return nil
    }

    private mutating func registers(_ entry: YAMLNode.Entry) -> (register: UInt8, bytes: [UInt8])? {
        if let register = Self.byte(entry.key), let bytes = bytes(entry.value) { return (register, bytes) }
        base.diagnostics.report(
            entry.keyPosition,
            "expected a register and its bytes, such as 0x00: [0x1A, 0x80]; found \(quoted(entry.key)) and "
                + entry.value.found)
        return nil
    }

    private func bytes(_ node: YAMLNode) -> [UInt8]? {
        let bytes = node.items.compactMap { $0.text.flatMap { Self.byte($0) } }
        return bytes.count == node.items.count && !bytes.isEmpty ? bytes : nil
    }

    static func byte(_ text: String) -> UInt8? {
        text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
    }

    // MARK: Names

    /// `bell.press` → the device, and the rest; `nil` and a report if there is no such device.
    mutating func part(
        _ text: String, at position: SourcePosition, _ expectation: String
    ) -> (device: DeviceConfiguration, name: String)? {
        let words = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
            base.diagnostics.report(position, "expected \(expectation); found \(quoted(text))")
            return nil
        }
        guard let device = configuration.devices.first(where: { $0.name == words[0] }) else {
            base.reportUnknown("device", words[0], at: position, known: configuration.devices.map(\.name))
            return nil
        }
        return (device, words[1])
    }

    mutating func model(of device: DeviceConfiguration, at position: SourcePosition) -> PartModel? {
        if let model = models.first(where: { $0.driver == device.driver.name }) { return model }
        base.diagnostics.report(
            position,
            "there is no simulated part for the driver \(device.driver.name); \(listing(models.map(\.driver)))")
        return nil
    }
}
