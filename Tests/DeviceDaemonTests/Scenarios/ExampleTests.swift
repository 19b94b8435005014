import DeviceKit
import DeviceRuntime
import FoundationEssentials
import Testing

@testable import DeviceDaemon

/// The files in examples/ and their scenarios, whichever there are.
enum Examples {
    static let folder = "\(projectFolder)/examples"

    private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    static let scenarioFiles = names.filter { $0.hasSuffix(".scenarios.yaml") }
    static let configurations = names.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".scenarios.yaml") }

    static func read(_ name: String) throws -> ScenarioFile { try ScenarioFile.read("\(folder)/\(name)") }

    /// All of them.
    static func readAll() throws -> [ScenarioFile] { try scenarioFiles.map { try read($0) } }
}

@Suite("The examples")
struct ExampleTests {
    @Test("Every example is valid", arguments: Examples.configurations)
    func validity(example: String) throws { _ = try Configuration.read("\(Examples.folder)/\(example)") }

    @Test("There are examples and scenarios")
    func existence() {
        #expect(!Examples.configurations.isEmpty)
        #expect(!Examples.scenarioFiles.isEmpty)
    }

    @Test("The scenarios of the examples come out as expected", arguments: Examples.scenarioFiles)
    func scenarios(name: String) throws {
        let report = try Examples.read(name).run()
        #expect(!report.isFailure, "\(ScenarioReport.text(of: [report]))")
    }

    @Test("Every example has scenarios, in which each of its rules fires", arguments: Examples.configurations)
    func coverage(example: String) throws {
        let path = "\(Examples.folder)/\(example)"
        var silent = Set(try Configuration.read(path).rules.map(\.line))
        var count = 0
        for file in try Examples.readAll() {
            for scenario in file.scenarios where scenario.configurationPath == path {
                count += 1
                if !silent.isEmpty { silent.subtract(try file.run(scenario).firedRules) }
            }
        }
        #expect(count > 0, "\(example) has no scenarios; write \(example.dropLast(5)).scenarios.yaml beside it")
        #expect(silent.isEmpty, "rules in lines \(silent.sorted()) of \(example) never fire")
    }

    @Test("A rule of an example that is broken makes its scenarios fail, with a message that names the rule")
    func brokenRules() throws {
        for file in try Examples.readAll() {
            guard let configuration = file.scenarios.first?.configuration, file.requiresEveryRule else { continue }
            for index in configuration.rules.indices {
                let rule = configuration.rules[index]
                var broken: [(what: String, Rule)] = []
                var deaf = rule
                deaf.when = []
                broken.append(("waits for nothing", deaf))
                for action in rule.actions.indices {
                    var idle = rule
                    idle.actions.remove(at: action)
                    broken.append(("does not \(rule.actions[action].command.name)", idle))
                }
                for (what, rule) in broken {
                    var configuration = configuration
                    configuration.rules[index] = rule
                    var copy = file
                    copy.scenarios = file.scenarios.map { $0.with(configuration) }
                    let report = try copy.run()
                    let text = ScenarioReport.text(of: [report])
                    #expect(report.isFailure, "nobody notices that '\(rule.name)' of \(file.path) \(what)")
                    #expect(
                        text.contains("'\(rule.name)'"),
                        "'\(rule.name)' of \(file.path) \(what), and is not named in\n\(text)")
                }
            }
        }
    }

    @Test("Every kind of fault has a scenario in which an example recovers or says why it cannot")
    func faults() throws {
        let used = Set(try Examples.readAll().flatMap { $0.scenarios.flatMap(\.faultKinds) })
        let missing = standardFaults.map(\.name).filter { !used.contains($0) }
        #expect(missing == [])
    }
}

extension Scenario {
    /// The same with another configuration.
    fileprivate func with(_ configuration: Configuration) -> Scenario {
        Scenario(
            name: name, position: position, configuration: configuration, configurationPath: configurationPath,
            seed: seed, duration: duration, visitInterval: visitInterval, steps: steps)
    }
}
