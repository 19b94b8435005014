internal import DeviceKit

/// Reads a configuration from its YAML, and goes on after each error to find the others.
struct ConfigurationReader {
    let drivers: [Driver]
    let backends: [BackendDescription]
    let file: String
    let boards: [BoardDescription]
    var diagnostics: DiagnosticCollector

    /// The board that is named, if one is and if it is known.
    var board: BoardDescription?

    /// The devices that have a driver, for what rules say of them.
    var driversByDevice: [String: Driver] = [:]
    /// Devices whose driver is not known: what rules say of them cannot be checked, and is not called wrong.
    var unknownDevices: Set<String> = []
    var deviceNames: [String] = []
    /// The options of the devices that have valid ones: on some of them it depends what a device ever tells.
    var optionsByDevice: [String: OptionValues] = [:]
    /// Devices that options name, for when all are known.
    var deviceMentions: [DeviceMention] = []
    /// Whether `devices` could be read at all.
    var hasReadableDevices = true
    /// Who claimed a peripheral first, and where.
    var claims: [String: (device: String, line: Int, sharedBy: String?)] = [:]

    init(
        file: String, drivers: [Driver], backends: [BackendDescription], boards: [BoardDescription]
    ) {
        self.drivers = drivers
        self.backends = backends
        self.file = file
        self.boards = boards
        diagnostics = DiagnosticCollector(file: file)
    }

    /// What could be read; valid only if there are no diagnostics afterwards.
    mutating func read(_ source: [UInt8]) -> Configuration {
        var configuration = Configuration(name: "", board: "auto", devices: [], rules: [], storage: [])
        let document = YAMLDocument(source)
        diagnostics.report(document.problems)
        guard let root = document.root else { return configuration }
        let keys = ConfigurationTables.keys.map(\.name)
        guard let entries = mapping(root, "a mapping with the keys \(keys.joined(separator: ", "))") else {
            return configuration
        }
        let meant = reportUnknown("key", in: entries, known: keys)

        if let node = entries["device"] {
            configuration.name = name(node) ?? ""
        } else if !meant.contains("device") && !document.isCut {
            diagnostics.report(root.position, "'device' is missing: the name of this device, such as 'device: porch'")
        }
        // Devices that stand behind bad YAML are not known, and what rules say of them is not called wrong.
        if document.isCut && (entries["devices"] == nil || entries.last?.key == "devices") {
            hasReadableDevices = false
        }
        if let node = entries["board"] { readBoard(node, into: &configuration) }
        if let node = entries["devices"] { configuration.devices = devices(node) }
        if let node = entries["rules"] { configuration.rules = rules(node) }
        if let node = entries["storage"] { configuration.storage = storage(node) }
        if let node = entries["outbox"] { configuration.outbox = outbox(node) }
        if let node = entries["metrics"] { configuration.metrics = metrics(node) }
        if let node = entries["page"] { configuration.page = page(node) }
        return configuration
    }

    /// A name that the file gives: it becomes part of paths, object names and references.
    mutating func name(_ node: YAMLNode) -> String? {
        guard let text = node.text else {
            diagnostics.report(node.position, "expected a name, such as porch; found \(node.found)")
            return nil
        }
        return isName(text, at: node.position) ? text : nil
    }

    mutating func isName(_ text: String, at position: SourcePosition) -> Bool {
        let isName =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        if !isName {
            diagnostics.report(
                position,
                "\(quoted(text)) cannot be a name; a name has 1 to 64 letters (a to z, A to Z), digits, '-' or '_'")
        }
        return isName
    }

    /// The entries of a mapping; reports anything else.
    mutating func mapping(_ node: YAMLNode, _ expectation: String) -> [YAMLNode.Entry]? {
        if let entries = node.entries { return entries }
        diagnostics.report(node.position, "expected \(expectation); found \(node.found)")
        return nil
    }
}

extension [YAMLNode.Entry] {
    subscript(key: String) -> YAMLNode? { first { $0.key == key }?.value }
}
