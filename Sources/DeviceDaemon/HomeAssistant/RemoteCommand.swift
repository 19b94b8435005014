import DeviceKit
import DeviceRuntime
import StorageBackends

/// A command that has come over a broker: `perch/porch/sign/command/show`, and as payload what would stand behind it in
/// a rule: `HELLO`, `{ from: 20deg, to: 160deg }`, or nothing.
struct RemoteCommand: Sendable {
    let device: String
    let command: Command

    /// In bytes. What is longer is no command.
    private static let longestPayload = 4096

    /// Reads a message. Throws ``ControlFailure``, which says what is wrong with it.
    init(
        _ message: MQTTMessage, to name: (part: String, command: String), in directory: DeviceDirectory
    )
        throws(ControlFailure)
    {
        guard !message.isRetained else {
            throw .usage("the broker keeps it for later (retain), so that it would be repeated at every connection")
        }
        guard message.payload.count <= Self.longestPayload else {
            throw .usage("its payload has \(message.payload.count) bytes; \(Self.longestPayload) are the limit")
        }
        let entries = directory.entries
        guard let entry = entries.first(where: { MQTTTopics.level($0.name) == name.part }) else {
            let advice = advice(for: name.part, among: entries.map(\.name))
            throw .usage("there is no device \(quoted(name.part)); \(advice)")
        }
        device = entry.name
        let payload = String(decoding: message.payload, as: UTF8.self)
        // Home Assistant has one topic for a switch, whose payload says which way.
        let words = name.command == "switch" && ["on", "off"].contains(payload) ? [payload] : nil
        let known = entry.driver.commands
        let described = known.first { MQTTTopics.level($0.name) == name.command }
        command = try ControlVerb.commandGiven(
            by: words ?? [name.command] + Self.words(payload, for: described), for: entry)
    }

    /// The arguments as `name=value`.
    private static func words(_ payload: String, for command: CommandDescription?) -> [String] {
        let arguments = command?.arguments ?? []
        if payload.hasPrefix("{"), let entries = YAMLDocument(Array(payload.utf8)).root?.entries,
            !entries.isEmpty, entries.allSatisfy({ entry in arguments.contains { $0.name == entry.key } })
        {
            return entries.map { "\($0.key)=\($0.value.text ?? "")" }
        }
        guard !payload.isEmpty else { return [] }
        return [arguments.first.map { "\($0.name)=\(payload)" } ?? payload]
    }
}
