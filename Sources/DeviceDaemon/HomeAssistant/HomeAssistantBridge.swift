import DeviceKit
import DeviceRuntime
import StorageBackends

/// Shows the devices to Home Assistant, or whatever else listens at a broker, and takes its commands: discovery,
/// states, readings and health as messages that the broker keeps.
///
/// Everything happens on the loop.
final class HomeAssistantBridge: MQTTCompanion {
    private struct State {
        /// The discovery messages that are valid, by topic.
        var announced: [String: MQTTMessage] = [:]
        /// The last values of fields, by topic.
        var readings: [String: MQTTMessage] = [:]
        /// What was told last of each part's health.
        var health: [String: [UInt8]] = [:]
        var limit = CommandLimit()
        /// What has been told of refused commands.
        var refusals: Set<String> = []
        var post: (@Sendable ([MQTTMessage]) -> Void)?
    }

    private let topics: MQTTTopics
    /// `nil` if nothing is to be announced.
    private let discovery: DiscoveryMessages?
    private let acceptsCommands: Bool
    private let directory: DeviceDirectory
    private let clock: any MonotonicClock
    private let logger: Logger
    private let state = Protected(State())
    private let commands: AsyncStream<RemoteCommand>
    private let command: AsyncStream<RemoteCommand>.Continuation

    /// Commands that may wait while one is carried out.
    private static let capacity = 20
    /// Refusals that are told, each once.
    private static let mostRefusals = 100
    /// How long to wait with the answer to Home Assistant's return, so that not all boards speak at once.
    private static let birthDelays = 0...3000

    /// `discoveryPrefix` is `nil` if nothing is to be announced.
    init(
        device: String, topics: MQTTTopics, discoveryPrefix: String?, acceptsCommands: Bool,
        directory: DeviceDirectory, clock: any MonotonicClock, logger: Logger
    ) {
        self.topics = topics
        self.acceptsCommands = acceptsCommands
        self.directory = directory
        self.clock = clock
        self.logger = logger
        discovery = discoveryPrefix.map {
            DiscoveryMessages(prefix: $0, device: device, topics: topics, acceptsCommands: acceptsCommands)
        }
        (commands, command) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
    }

    func run(_ post: @escaping @Sendable ([MQTTMessage]) -> Void) async throws {
        state.withLock { $0.post = post }
        let observation = directory.observe { [weak self] in self?.notice($0) }
        defer {
            observation.cancel()
            state.withLock { $0.post = nil }
        }
        for await command in commands { await perform(command) }
        try Task.checkCancellation()
    }

    private func post(_ messages: [MQTTMessage]) { state.withLock { $0.post }?(messages) }

    // MARK: Telling

    func greeting() -> MQTTGreeting {
        var greeting = MQTTGreeting(messages: announce() + snapshot())
        if acceptsCommands { greeting.subscriptions.append(topics.allCommands) }
        if let discovery { greeting.subscriptions += [discovery.birthTopic, discovery.ownTopics] }
        return greeting
    }

    /// What there is to discover, and an empty message in place of each that is not valid any more.
    private func announce() -> [MQTTMessage] {
        guard let discovery else { return [] }
        let messages = discovery.messages(for: directory.entries.map(\.configuration))
        let valid = Dictionary(messages.map { ($0.topic, $0) }, uniquingKeysWith: { first, _ in first })
        let gone = state.withLock { state in
            defer { state.announced = valid }
            return state.announced.keys.filter { valid[$0] == nil }
        }
        return gone.sorted().map { MQTTMessage($0, [], isRetained: true) } + messages
    }

    /// Everything as it is now.
    private func snapshot() -> [MQTTMessage] {
        let readings = state.withLock { $0.readings.values.sorted { $0.topic < $1.topic } }
        return directory.entries.flatMap { entry in
            [health(entry.name, entry.health)]
                + entry.driver.states.filter { entry.configuration.allows($0.need) }.map { state in
                    self.state(entry.name, state.name, entry.states.contains(state.name))
                }
        } + readings
    }

    private func notice(_ change: DeviceDirectory.Change) {
        switch change {
        case .event(let event): post(readings(of: event))
        case .state(let reference, let value): post([state(reference.device, reference.state, value)])
        case .health(let device, let health):
            // Each try of a part that fails is a change, but no news.
            let message = self.health(device, health)
            let before = state.withLock { $0.health.updateValue(message.payload, forKey: device) }
            if before != message.payload { post([message]) }
        case .devices: post(announce() + snapshot())
        default: break
        }
    }

    private func state(_ device: String, _ state: String, _ value: Bool) -> MQTTMessage {
        kept(topics.state(device, state), value ? "on" : "off")
    }

    private func health(_ device: String, _ health: DeviceHealth) -> MQTTMessage {
        kept(topics.health(device), health == .healthy ? "online" : "offline")
    }

    private func readings(of event: Event) -> [MQTTMessage] {
        let known = directory[event.device]?.driver.events.first { $0.name == event.name }?.fields.map(\.name) ?? []
        let messages = event.fields.filter { known.contains($0.name) }.map { field in
            kept(topics.reading(event.device, field.name), field.value.description)
        }
        state.withLock { state in
            for message in messages { state.readings[message.topic] = message }
        }
        return messages
    }

    /// A value that takes the place of the one before. It is sent again on each connection, so none of them needs a
    /// confirmation.
    private func kept(_ topic: String, _ text: String) -> MQTTMessage {
        MQTTMessage(topic, text, isRetained: true, isConfirmed: false)
    }

    // MARK: Hearing

    func receive(_ message: MQTTMessage) {
        if let name = topics.command(in: message.topic) {
            receive(message, to: name)
        } else if let discovery, message.topic == discovery.birthTopic {
            guard message.payload == Array("online".utf8), !message.isRetained else { return }
            clock.schedule(after: .milliseconds(Int.random(in: Self.birthDelays))) { [weak self] in
                guard let self else { return }
                post(announce() + snapshot())
            }
        } else if let discovery, discovery.isOwn(message.topic), !message.payload.isEmpty {
            // Of a part that was there when the daemon ran last.
            let isValid = state.withLock { $0.announced[message.topic] != nil }
            if !isValid { post([MQTTMessage(message.topic, [], isRetained: true)]) }
        }
    }

    private func receive(_ message: MQTTMessage, to name: (part: String, command: String)) {
        // The empty message that takes a kept one away is none.
        if message.payload.isEmpty && message.isRetained { return }
        do {
            let command = try RemoteCommand(message, to: name, in: directory)
            guard state.withLock({ $0.limit.take(now: clock.now) }) else {
                return refuse(name, "too many commands: \(Int(CommandLimit.rate)) each second are taken")
            }
            if case .dropped = self.command.yield(command) {
                refuse(name, "\(Self.capacity) commands wait already")
            }
        } catch {
            refuse(name, error.message)
        }
    }

    private func perform(_ remote: RemoteCommand) async {
        do {
            try await directory.perform(remote.command, on: remote.device)
        } catch {
            refuse((remote.device, remote.command.name), "\(error)")
        }
    }

    /// Says once why a command is not carried out.
    private func refuse(_ name: (part: String, command: String), _ reason: String) {
        let key = "\(name.part).\(name.command): \(reason)"
        let isNew = state.withLock { state in
            state.refusals.count < Self.mostRefusals && state.refusals.insert(key).inserted
        }
        guard isNew else { return }
        logger.warning(
            "a command from the broker is not carried out",
            ["command": printable("\(name.part).\(name.command)"), "error": printable(reason)])
    }
}
