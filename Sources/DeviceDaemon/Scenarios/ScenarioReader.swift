import DeviceKit
import DeviceRuntime

/// Reads a file of scenarios from its YAML, and goes on after each error to find the others.
struct ScenarioReader {
    /// Reads options, names and references, and collects what is wrong.
    var base: ConfigurationReader
    let path: String
    let models: [PartModel]
    let faults: [FaultKind]
    private let readConfiguration: (String) throws -> Configuration
    /// By their paths; `nil` for one that is wrong, and has been reported.
    private var configurations: [String: Configuration?] = [:]

    /// Of the scenario that is being read.
    var configuration = Configuration(name: "", board: "auto", devices: [], rules: [], storage: [])

    init(
        path: String, models: [PartModel], faults: [FaultKind],
        readConfiguration: @escaping (String) throws -> Configuration
    ) {
        base = ConfigurationReader(file: path, drivers: [], backends: [], boards: [])
        self.path = path
        self.models = models
        self.faults = faults
        self.readConfiguration = readConfiguration
    }

    private static let everyRule = Option(
        "every-rule-fires", .choice(["yes": true, "no": false]), default: "no",
        "whether a rule that fires in none of the scenarios is a failure")

    /// What could be read; valid only if there are no diagnostics afterwards.
    mutating func read(_ source: [UInt8]) -> ScenarioFile {
        let document = YAMLDocument(source, empty: "the file is empty; it needs a list of 'scenarios'")
        base.diagnostics.report(document.problems)
        var scenarios: [Scenario] = []
        var requiresEveryRule = false
        let keys = ["configuration", Self.everyRule.name, "scenarios"]
        if let root = document.root,
            let entries = base.mapping(root, "a mapping with the keys \(keys.joined(separator: ", "))")
        {
            let meant = base.reportUnknown("key", in: entries, known: keys)
            let reading = base.options(
                entries.filter { $0.key == Self.everyRule.name }, [Self.everyRule.description], "key",
                of: "a file of scenarios", at: root.position)
            requiresEveryRule = (try? reading.values[Self.everyRule]) ?? false
            if let node = entries["scenarios"] {
                scenarios = self.scenarios(node, in: entries["configuration"])
            } else if !meant.contains("scenarios") && !document.isCut {
                base.diagnostics.report(root.position, "'scenarios' is missing: a list, each with 'name' and 'steps'")
            }
        }
        return ScenarioFile(
            path: path, scenarios: scenarios, requiresEveryRule: requiresEveryRule, models: models)
    }

    private mutating func scenarios(_ node: YAMLNode, in configuration: YAMLNode?) -> [Scenario] {
        guard case .sequence(let nodes) = node.content, !nodes.isEmpty else {
            base.diagnostics.report(
                node.position, "expected a list of scenarios, each beginning with '- name: …'; found \(node.found)")
            return []
        }
        let scenarios = nodes.compactMap { scenario($0, in: configuration) }
        for (index, scenario) in scenarios.enumerated() {
            guard let first = scenarios[..<index].first(where: { $0.name == scenario.name }) else { continue }
            base.diagnostics.report(
                scenario.position,
                "there is a scenario \(quoted(scenario.name)) already (line \(first.position.line))")
        }
        return scenarios
    }

    // MARK: A scenario

    private static let seed = Option(
        "seed", .integer(0...Int.max), default: "1", "what follows from chance follows from this")
    private static let duration = Option(
        "duration", .duration(.milliseconds(1)...(.seconds(365 * 86400))), default: "1s", "how long it goes on")
    private static let visitors = Option(
        "visitors", .duration(.milliseconds(1)...(.seconds(365 * 86400))), default: "1s",
        "about how often somebody comes by; nobody does if it is not given")

    /// How long a scenario goes on after the last moment that it names.
    private static let afterword: Duration = .seconds(10)

    private mutating func scenario(_ node: YAMLNode, in general: YAMLNode?) -> Scenario? {
        let table = [Self.seed.description, Self.duration.description, Self.visitors.description]
        let keys = ["name", "configuration", "steps"] + table.map(\.name)
        guard let entries = base.mapping(node, "a scenario with 'name' and 'steps'") else { return nil }
        let meant = base.reportUnknown("key", in: entries, of: "a scenario", known: keys)
        let names = Set(table.map(\.name))
        let reading = base.options(
            entries.filter { names.contains($0.key) }, table, "key", of: "a scenario", at: node.position)
        let name = self.name(entries["name"], at: node.position, isMeant: meant.contains("name"))
        guard let (configuration, configurationPath) = configuration(entries["configuration"] ?? general, at: node)
        else { return nil }
        self.configuration = configuration
        base.read(configuration)
        let given = (try? reading.values[Self.duration]).flatMap { entries["duration"] == nil ? nil : $0 }
        guard let list = entries["steps"] else {
            if !meant.contains("steps") {
                base.diagnostics.report(
                    node.position, "'steps' of the scenario is missing: a list, such as '- at: 90s'")
            }
            return nil
        }
        let drafts = steps(list)
        let end = given ?? (drafts.map(\.latest).max() ?? .zero) + Self.afterword
        return Scenario(
            name: name, position: node.position, configuration: configuration, configurationPath: configurationPath,
            seed: UInt64((try? reading.values[Self.seed]) ?? 1), duration: end,
            visitInterval: entries["visitors"] == nil ? nil : try? reading.values[Self.visitors],
            steps: drafts.map { draft in
                if let given, draft.latest > given {
                    base.diagnostics.report(
                        draft.position,
                        "this reaches to \(draft.latest.configurationText), beyond the scenario's duration of "
                            + given.configurationText)
                }
                return draft.step(end: end)
            })
    }

    private mutating func name(_ node: YAMLNode?, at position: SourcePosition, isMeant: Bool) -> String {
        guard let node else {
            if !isMeant { base.diagnostics.report(position, "'name' of the scenario is missing: what it is about") }
            return ""
        }
        guard let text = node.text else {
            base.diagnostics.report(node.position, "expected a name for the scenario; found \(node.found)")
            return ""
        }
        return text
    }

    /// The configuration at a path that is relative to the file's folder.
    private mutating func configuration(_ node: YAMLNode?, at scenario: YAMLNode) -> (Configuration, path: String)? {
        guard let node else {
            base.diagnostics.report(
                scenario.position, "'configuration' is missing, here or for the whole file: 'configuration: perch.yaml'"
            )
            return nil
        }
        guard let text = node.text else {
            base.diagnostics.report(node.position, "expected the path of a configuration; found \(node.found)")
            return nil
        }
        let folder = Files.parent(of: path)
        let path = text.hasPrefix("/") || folder == "." ? text : "\(folder)/\(text)"
        if let known = configurations[path] { return known.map { ($0, path) } }
        do {
            let configuration = try readConfiguration(path)
            configurations[path] = configuration
            return (configuration, path)
        } catch let error as ConfigurationError {
            base.diagnostics.report(node.position, "the configuration \(quoted(text)) is wrong:")
            base.diagnostics.include(error)
        } catch {
            let reason = (error as? SystemError)?.reason ?? "\(error)"
            base.diagnostics.report(node.position, "the configuration \(quoted(path)) cannot be read: \(reason)")
        }
        configurations[path] = .some(nil)
        return nil
    }
}
