internal import CaptureStore

/// How to get to a broker, what it knows the board by, and what it is to remember.
public struct MQTTSettings: Sendable {
    public enum Version: Sendable, Hashable {
        /// Tells of no refusal: a broker that does not let the board publish something confirms and discards it.
        case v3_1_1
        case v5
    }

    public var broker: BrokerAddress
    /// By which the broker knows the session. Two clients with one name throw each other out.
    public var clientID: String
    public var version: Version
    /// A user and a password.
    public var login: HTTPCredentials?
    /// How to get there; `total` and the proxy are HTTP's alone.
    public var connection: ConnectionSettings
    /// After how long without a message each side makes sure that the other is there. Whole seconds, 5 to 65,535.
    public var keepAlive: Duration
    /// For how long the broker keeps the subscriptions, and the commands that come, while the board is away. MQTT
    /// 3.1.1 knows only zero and for ever.
    public var sessionExpiry: Duration
    /// How long the board may be away before the broker tells the others. A restart should not be news.
    public var willDelay: Duration

    public init(
        broker: BrokerAddress, clientID: String, version: Version = .v5, login: HTTPCredentials? = nil,
        connection: ConnectionSettings = ConnectionSettings(), keepAlive: Duration = .seconds(60),
        sessionExpiry: Duration = .seconds(600), willDelay: Duration = .seconds(5)
    ) {
        self.broker = broker
        self.clientID = clientID
        self.version = version
        self.login = login
        self.connection = connection
        self.keepAlive = keepAlive
        self.sessionExpiry = sessionExpiry
        self.willDelay = willDelay
    }

    var deadlines: TransferDeadlines { connection.deadlines }
}

extension Duration {
    /// Whole seconds as a property of MQTT 5 takes them (four bytes).
    var mqttSeconds: UInt32 { UInt32(clamping: components.seconds) }
}
