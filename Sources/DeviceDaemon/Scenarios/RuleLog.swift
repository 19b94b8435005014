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
    /// Those that fired last explain what there is, even where they do not command it (any more).
    private static let mostLatest = 3

    mutating func note(_ rule: Rule, _ cause: EventReference, at time: Duration, isHeldBack: Bool) {
        if !isHeldBack { firedLines.insert(rule.line) }
        var list = firings[rule.line] ?? []
        list.append(Firing(time: time, cause: cause, isHeldBack: isHeldBack))
        if list.count > Self.mostFirings { list.removeFirst() }
        firings[rule.line] = list
    }

    /// What the rules that have to do with an expectation did: those that command its device or are named by it, and
    /// those that fired since `start` or last of all.
    func notes(on expectation: ScenarioExpectation, since start: Duration, _ scenario: Scenario) -> [String] {
        let rules = scenario.configuration.rules
        let device = expectation.device ?? scenario.device(on: expectation)
        let related = rules.filter { $0.isRelated(to: expectation, device) }
        let fired = rules.compactMap { rule in lastFiring(of: rule).map { (rule.line, $0.time) } }
        let latest = Set(fired.sorted { $0.1 > $1.1 }.prefix(Self.mostLatest).map(\.0))
        let recent = Set(fired.filter { $0.1 >= start }.map(\.0))
        let lines = latest.union(recent).union(related.map(\.line))
        var notes = rules.filter { lines.contains($0.line) }.map { rule in
            "rule \(quoted(rule.name)) (\(scenario.configurationPath):\(rule.line)) \(words(rule, since: start))"
        }
        let driver = scenario.configuration.devices.first { $0.name == device }?.driver
        if related.isEmpty, let device, driver?.commands.isEmpty == false { notes.append("no rule commands \(device)") }
        return notes
    }

    private func lastFiring(of rule: Rule) -> Firing? { firings[rule.line]?.last { !$0.isHeldBack } }

    private func words(_ rule: Rule, since start: Duration) -> String {
        let fired = lastFiring(of: rule)
        let commands = rule.actions.map { "\($0.device).\($0.command.name)" }.joined(separator: ", ")
        let words = fired.map { fired in
            "fired \(fired.time >= start ? "" : "last ")at \(fired.time.clockText) for \(fired.cause): "
                + (commands.isEmpty ? "nothing" : commands)
        }
        if let words, let fired, fired.time >= start { return words }
        if let held = firings[rule.line]?.last(where: { $0.isHeldBack && $0.time >= start }) {
            let states = rule.unless.map { "'unless \($0)'" } + rule.onlyWhile.map { "'while \($0)'" }
            return "did not fire: \(held.cause) came at \(held.time.clockText), but it has "
                + states.joined(separator: ", ")
        }
        if let words { return words }
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
