import DeviceKit
import DeviceRuntime
import Glibc

/// What the verbs of the control socket have to do with: the daemon that runs, and the process around it.
struct ControlSite: Sendable {
    var configuration: Configuration
    let daemon: Daemon
    /// `raspberry-pi-4`
    let board: String
    /// On a simulated board.
    let world: SimulatedWorld?
    let loop: EventLoop
    let wallClock: WallClock
    /// When this daemon was started, as time since boot.
    let start: Duration
    /// Reads the configuration again; returns what is wrong with it, or `nil`.
    let reload: @Sendable () async throws -> String?
}

/// The verbs of a running daemon. Each is a verb of `perch` too, which passes its words on.
let controlVerbs: [ControlVerb] = [.status, .metrics, .send, .events, .reload, .sim, .queue]

extension ControlVerb {
    static let reload = ControlVerb(name: "reload") { _, site, answer in
        if let errors = try await site.reload() {
            try await answer.printError(errors)
            return 78
        }
        try await answer.print("the configuration applies")
        return 0
    }

    static let send = ControlVerb(name: "send") { words, site, answer in
        guard let name = words.first else {
            throw ControlFailure.usage(
                "expected a device and a command, as in: perch send arm sweep from=20deg to=160deg over=1s")
        }
        let entries = site.daemon.devices.entries
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw ControlFailure.usage("there is no device '\(name)'; \(advice(for: name, among: entries.map(\.name)))")
        }
        let command = try commandGiven(by: Array(words.dropFirst()), for: entry)
        do {
            try await site.daemon.devices.perform(command, on: name)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ControlFailure.unavailable("\(name).\(command.name): \(error)")
        }
        return 0
    }

    /// The command that words name, with its arguments.
    static func commandGiven(
        by words: [String], for entry: DeviceDirectory.Entry
    ) throws(ControlFailure) -> Command {
        let known = entry.driver.commands
        guard let word = words.first, let command = known.first(where: { $0.name == word }) else {
            guard !known.isEmpty else { throw ControlFailure.usage("\(entry.name) takes no commands") }
            let names = known.map(\.name)
            guard let word = words.first else {
                throw ControlFailure.usage("expected a command of \(entry.name): \(names.joined(separator: ", "))")
            }
            throw ControlFailure.usage("\(entry.name) has no command '\(word)'; \(advice(for: word, among: names))")
        }
        let owner = "\(entry.name) \(command.name)"
        let values = try arguments(words.dropFirst(), command.arguments, owner)
        return Command(name: word, arguments: values, words: words)
    }
}

extension ControlVerb {
    /// The values that words give for a table of arguments: in its order, or as `name=value`.
    static func arguments(
        _ words: some Sequence<String>, _ table: [OptionDescription], _ owner: String
    ) throws(ControlFailure) -> OptionValues {
        var given: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2, table.contains(where: { $0.name == parts[0] }) {
                given[parts[0]] = parts[1]
            } else if let next = table.first(where: { given[$0.name] == nil }) {
                given[next.name] = word
            } else {
                throw ControlFailure.usage("\(owner): '\(word)' is one argument too many")
            }
        }
        var values: [String: any Sendable] = [:]
        for option in table {
            guard let text = given[option.name] else {
                guard option.isRequired else { continue }
                throw ControlFailure.usage("\(owner): \(option.name) is missing; expected \(option.expectation)")
            }
            guard let value = option.parse(.scalar(text)) else {
                throw ControlFailure.usage("\(owner): \(option.name): expected \(option.expectation); found '\(text)'")
            }
            values[option.name] = value
        }
        return OptionValues(values)
    }
}
