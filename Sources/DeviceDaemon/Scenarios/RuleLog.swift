import DeviceKit
import SimulatedPeripherals

/// What the rules did, for who wants to know why something did not come about.
struct RuleLog: Sendable {
    struct Firing: Sendable, Hashable {
        let time: Duration
        let cause: EventReference
        /// Its states were against it.
        let isHeldBack: Bool
    }

    /// By the line of the rule in its file.
    private var firings: [Int: [Firing]] = [:]
    private(set) var firedLines: Set<Int> = []

    /// Of each rule, for messages: what is further back explains nothing.
    private static let mostFirings = 50

    mutating func note(_ rule: Rule, _ cause: EventReference, at time: Duration, isHeldBack: Bool) {
        if !isHeldBack { firedLines.insert(rule.line) }
        var list = firings[rule.line] ?? []
        list.append(Firing(time: time, cause: cause, isHeldBack: isHeldBack))
        if list.count > Self.mostFirings { list.removeFirst() }
        firings[rule.line] = list
    }

    /// What the rules that have to do with an expectation did since `start`: those that command its device or are named
    /// by it, and those that fired meanwhile.
    func notes(on expectation: ScenarioExpectation, since start: Duration, _ scenario: Scenario) -> [String] {
        let device = expectation.device ?? scenario.device(on: expectation)
        let related = scenario.configuration.rules.filter { $0.isRelated(to: expectation, device) }
        let recent = { (rule: Rule) in (firings[rule.line] ?? []).filter { $0.time >= start } }
        var notes = scenario.configuration.rules.compactMap { rule -> String? in
            let firings = recent(rule)
            guard related.contains(where: { $0.line == rule.line }) || firings.contains(where: { !$0.isHeldBack })
            else {
                return nil
            }
            return "rule \(quoted(rule.name)) (\(scenario.configurationPath):\(rule.line)) \(Self.words(rule, firings))"
        }
        let driver = scenario.configuration.devices.first { $0.name == device }?.driver
        if related.isEmpty, let device, driver?.commands.isEmpty == false { notes.append("no rule commands \(device)") }
        return notes
    }

    private static func words(_ rule: Rule, _ firings: [Firing]) -> String {
        if let fired = firings.last(where: { !$0.isHeldBack }) {
            let commands = rule.actions.map { "\($0.device).\($0.command.name)" }.joined(separator: ", ")
            return "fired at \(fired.time.clockText) for \(fired.cause): \(commands.isEmpty ? "nothing" : commands)"
        }
        if let held = firings.last {
            let states =
                rule.unless.map { "'unless \($0)'" } + rule.onlyWhile.map { "'while \($0)'" }
            return
                "did not fire: \(held.cause) came at \(held.time.clockText), but it has \(states.joined(separator: ", "))"
        }
        let events = rule.when.map(\.description).joined(separator: " or ")
        return "did not fire: it waits for \(events.isEmpty ? "nothing" : events), which did not come"
    }
}

extension Rule {
    fileprivate func isRelated(to expectation: ScenarioExpectation, _ device: String?) -> Bool {
        if case .occurrence(let pattern) = expectation.subject, case .rule(let name) = pattern.kind {
            return self.name == name
        }
        return actions.contains { $0.device == device }
    }
}

extension Scenario {
    /// The device that is connected to what an expectation looks at.
    fileprivate func device(on expectation: ScenarioExpectation) -> String? {
        guard case .condition(let observable, _) = expectation.subject else { return nil }
        let wire: Wire? =
            switch observable {
            case .level(let name): .line(name)
            case .pulses(let name): .pwmChannel(name)
            default: nil
            }
        return configuration.devices.first { device in wire.map { device.wires.contains($0) } ?? false }?.name
    }
}
