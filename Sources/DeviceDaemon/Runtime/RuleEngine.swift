import DeviceKit
import DeviceRuntime

/// Turns events into commands.
final class RuleEngine: Service {
    let name = "rules"
    private let rules: [EventReference: [Rule]]
    private let devices = Protected<[String: any Device]>([:])
    private let logger: Logger
    private let states = Protected<[StateReference: Bool]>([:])
    private let firings: AsyncStream<Firing>
    private let fire: AsyncStream<Firing>.Continuation

    private struct Firing: Sendable {
        let rule: Rule
        let cause: EventReference
    }

    /// Firings that may wait while commands are carried out; far more than any board's parts can cause.
    private static let capacity = 1000

    init(rules: [Rule], logger: Logger) {
        var table: [EventReference: [Rule]] = [:]
        for rule in rules {
            for event in Set(rule.when) { table[event, default: []].append(rule) }
        }
        self.rules = table
        self.logger = logger
        (firings, fire) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
    }

    func add(_ device: any Device, named name: String) { devices.withLock { $0[name] = device } }

    func setState(_ reference: StateReference, _ value: Bool) { states.withLock { $0[reference] = value } }

    /// Decides at once, by the states as they are at the event, which rules fire.
    func handle(_ event: Event) {
        let cause = EventReference(device: event.device, event: event.name)
        for rule in rules[cause] ?? [] where states.withLock({ rule.applies(in: $0) }) {
            if case .dropped = fire.yield(Firing(rule: rule, cause: cause)) {
                logger.error("rule dropped: \(Self.capacity) are waiting", ["rule": rule.name, "cause": "\(cause)"])
            }
        }
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        // Devices tell the rules and the rules tell the devices: at the end nobody holds the other any more.
        defer { devices.withLock { $0 = [:] } }
        ready()
        for await firing in firings {
            for action in firing.rule.actions { await perform(action, firing) }
        }
    }

    private func perform(_ action: Rule.Action, _ firing: Firing) async {
        var command = action.command
        command.cause = "\(firing.cause)"
        logger.debug("\(action.device).\(command.name)", ["rule": firing.rule.name, "cause": "\(firing.cause)"])
        do {
            try await devices.withLock { $0[action.device] }?.perform(command)
        } catch {
            logger.warning(
                "command failed",
                ["rule": firing.rule.name, "command": "\(action.device).\(command.name)", "error": "\(error)"])
        }
    }
}

extension Rule {
    /// A state that nobody has set does not hold.
    func applies(in states: [StateReference: Bool]) -> Bool {
        !unless.contains { states[$0] ?? false } && onlyWhile.allSatisfy { states[$0] ?? false }
    }
}
