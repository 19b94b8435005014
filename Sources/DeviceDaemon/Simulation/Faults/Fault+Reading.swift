import DeviceKit
import SimulatedPeripherals

extension Fault {
    /// When a fault of the command line begins; a step of a scenario has its own time.
    private static let start = Option("at", .duration(.zero...(.seconds(365 * 86400))), default: "0s", "when it begins")

    /// Reads a fault as it is written in a scenario, with `at`: `unplug: sign, at: 10s, for: 30s`.
    ///
    /// `source` is how messages call the text. Throws everything that is wrong in it.
    public static func read(
        _ text: String, source: String = "fault", for configuration: Configuration, kinds: [FaultKind] = standardFaults
    ) throws(ConfigurationError) -> Fault {
        // The inside of a mapping in braces, which a person may write or leave out.
        let hasBraces = text.first == "{"
        let document = YAMLDocument(
            Array((hasBraces ? text : "{\(text)}").utf8), empty: "a fault is missing, such as 'unplug: sign, at: 10s'")
        var reader = ConfigurationReader(configuration, file: source)
        reader.diagnostics.report(document.problems)
        var fault: Fault?
        if let root = document.root, let entries = reader.mapping(root, "a fault, such as 'unplug: sign, at: 10s'") {
            let isStart = { (entry: YAMLNode.Entry) in entry.key == start.name }
            fault = reader.fault(entries.filter { !isStart($0) }, at: root.position, configuration, kinds)
            let reading = reader.options(
                entries.filter(isStart), [start.description], "option", of: "a fault", at: root.position)
            fault?.start = (try? reading.values[start]) ?? .zero
        }
        guard let error = reader.diagnostics.error else {
            if let fault { return fault }
            throw ConfigurationError(
                diagnostics: [Diagnostic(file: source, position: .start, message: "it cannot be read")], omittedCount: 0
            )
        }
        throw hasBraces ? error : error.movedLeft
    }
}

extension ConfigurationError {
    /// As the columns are without the brace that was put in front.
    fileprivate var movedLeft: ConfigurationError {
        ConfigurationError(
            diagnostics: diagnostics.map { diagnostic in
                var moved = diagnostic
                if moved.position.line == 1 { moved.position.column = max(1, moved.position.column - 1) }
                return moved
            }, omittedCount: omittedCount)
    }
}

extension ConfigurationReader {
    /// For files that speak of a configuration's devices.
    init(_ configuration: Configuration, file: String) {
        self.init(file: file, drivers: [], backends: [], boards: [])
        read(configuration)
    }

    /// Takes over a configuration's devices, so that they can be spoken of.
    mutating func read(_ configuration: Configuration) {
        deviceNames = configuration.devices.map(\.name)
        driversByDevice = Dictionary(
            configuration.devices.map { ($0.name, $0.driver) }, uniquingKeysWith: { first, _ in first })
    }

    /// `{ unplug: sign, for: 30s }`: one of the keys is a kind of fault, the others are its options.
    mutating func fault(
        _ entries: [YAMLNode.Entry], at position: SourcePosition, _ configuration: Configuration, _ kinds: [FaultKind]
    ) -> Fault? {
        guard !entries.isEmpty else {
            diagnostics.report(position, "a fault is missing, such as 'unplug: sign'; \(listing(kinds.map(\.name)))")
            return nil
        }
        guard let entry = entries.first(where: { entry in kinds.contains { $0.name == entry.key } }),
            let kind = kinds.first(where: { $0.name == entry.key })
        else {
            // The first key is where a person writes it.
            let name = entries.first?.key ?? ""
            reportUnknown("fault", name, at: entries.first?.keyPosition ?? position, known: kinds.map(\.name))
            return nil
        }
        let options = entries.map { option -> YAMLNode.Entry in
            guard option.key == kind.name, let first = kind.options.first else { return option }
            return YAMLNode.Entry(key: first.name, keyPosition: option.keyPosition, value: option.value)
        }
        let reading = self.options(
            options, kind.options, "option", of: "fault \(kind.name)", at: entry.keyPosition)
        guard reading.isValid else { return nil }
        let target = reading.texts.first { $0.name == kind.options.first?.name }?.text ?? ""
        guard let wires = wires(entry.value.text ?? target, of: kind, at: entry.value.position, configuration) else {
            return nil
        }
        return Fault(kind: kind, wires: wires, values: reading.values, texts: reading.texts, start: .zero)
    }

    /// What the first option names; `nil` and a report if there is no such thing.
    private mutating func wires(
        _ text: String, of kind: FaultKind, at position: SourcePosition, _ configuration: Configuration
    ) -> [Wire]? {
        switch kind.target {
        case .none: return []
        case .storage:
            let names = configuration.storage.map(\.name)
            if names.contains(text) { return [] }
            reportUnknown("storage", text, at: position, known: names)
            return nil
        case .wires(let kinds):
            let device = configuration.devices.first { $0.name == text }
            let wire = Wire(text, on: configuration.simulatedNames)
            guard device != nil || wire != nil else {
                reportUnknown("part or wire", text, at: position, known: deviceNames)
                return nil
            }
            let found = (device?.wires ?? wire.map { [$0] } ?? []).flatMap { kinds.wires(of: $0) }
            guard found.isEmpty else { return found }
            let nouns = kinds.map(\.rawValue).joined(separator: " or ")
            diagnostics.report(
                position,
                device == nil
                    ? "\(quoted(text)) is not what \(kind.name) concerns: it takes a \(nouns)"
                    : "\(quoted(text)) has no \(nouns), which \(kind.name) concerns")
            return nil
        }
    }
}

extension [Wire.Kind] {
    /// What of a wire is of these kinds: itself, or the bus that an address is on.
    fileprivate func wires(of wire: Wire) -> [Wire] {
        if contains(wire.kind) { return [wire] }
        if contains(.i2cBus), case .i2cAddress(let bus, _) = wire { return [.i2cBus(bus)] }
        return []
    }
}
