import DeviceKit
import DeviceRuntime

/// Turns events into commands.
final class RuleEngine: Service {
    let name = "rules"
    private let rules: Protected<[EventReference: [Rule]]>
    private let directory: DeviceDirectory
    private let logger: Logger
    private let occurred: @Sendable (RuleOccurrence) -> Void
    private let firings: AsyncStream<Firing>
    private let fire: AsyncStream<Firing>.Continuation

    private struct Firing: Sendable {
        let rule: Rule
        let cause: EventReference
    }

    /// Firings that may wait while commands are carried out; far more than any board's parts can cause.
    private static let capacity = 1000

    /// `occurred` is told what the rules make of events.
    init(
        rules: [Rule], directory: DeviceDirectory, logger: Logger,
        occurred: @escaping @Sendable (RuleOccurrence) -> Void = { _ in }
    ) {
        self.rules = Protected(Self.table(rules))
        self.directory = directory
        self.logger = logger
        self.occurred = occurred
        (firings, fire) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
    }

    private static func table(_ rules: [Rule]) -> [EventReference: [Rule]] {
        var table: [EventReference: [Rule]] = [:]
        for rule in rules {
            for event in Set(rule.when) { table[event, default: []].append(rule) }
        }
        return table
    }

    /// From the next event on these apply.
    func replace(_ rules: [Rule]) { self.rules.withLock { $0 = Self.table(rules) } }

    /// Decides at once, by the states as they are at the event, which rules fire.
    func handle(_ event: Event) {
        let cause = EventReference(device: event.device, event: event.name)
        for rule in rules.withLock({ $0[cause] ?? [] }) {
            guard rule.applies(in: directory) else {
                occurred(.heldBack(rule, cause))
                continue
            }
            occurred(.fired(rule, cause))
            if case .dropped = fire.yield(Firing(rule: rule, cause: cause)) {
                logger.error("rule dropped: \(Self.capacity) are waiting", ["rule": rule.name, "cause": "\(cause)"])
            }
        }
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        for await firing in firings {
            for action in firing.rule.actions { await perform(action, firing) }
        }
    }

    private func perform(_ action: Rule.Action, _ firing: Firing) async {
        var command = action.command
        command.cause = "\(firing.cause)"
        occurred(.command(action, firing.rule))
        logger.debug("\(action.device).\(command.name)", ["rule": firing.rule.name, "cause": "\(firing.cause)"])
        do {
            try await directory.perform(command, on: action.device)
        } catch {
            logger.warning(
                "command failed",
                ["rule": firing.rule.name, "command": "\(action.device).\(command.name)", "error": "\(error)"])
        }
    }
}

extension Rule {
    /// A state that nobody has set does not hold.
    func applies(in directory: DeviceDirectory) -> Bool {
        !unless.contains { directory.holds($0) } && onlyWhile.allSatisfy { directory.holds($0) }
    }
}
