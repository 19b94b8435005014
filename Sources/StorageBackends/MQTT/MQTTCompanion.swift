/// What shares the connection of an MQTT storage: it has something to say on each connection, and hears what comes.
/// Everything is called on the loop.
public protocol MQTTCompanion: Sendable {
    /// What it wants to hear, and to say first. For each connection.
    func greeting() -> MQTTGreeting

    /// A message has come to which it has subscribed.
    func receive(_ message: MQTTMessage)

    /// Runs as long as the storage does. `post` sends messages that nobody waits for, and drops them while there is no
    /// connection.
    func run(_ post: @escaping @Sendable ([MQTTMessage]) -> Void) async throws
}

/// What is asked for and said first on a connection.
public struct MQTTGreeting: Sendable {
    /// Topics, with `+` for one level and `#` for all that follow.
    public var subscriptions: [String]
    public var messages: [MQTTMessage]

    public init(subscriptions: [String] = [], messages: [MQTTMessage] = []) {
        self.subscriptions = subscriptions
        self.messages = messages
    }
}
