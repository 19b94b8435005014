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
    /// A file of certificates (PEM) to trust instead of the system's.
    public var authorities: String?
    /// A file with the certificate (PEM) by which the broker knows the board.
    public var clientCertificate: String?
    /// A file with that certificate's key (PEM); `nil` when it is in the same file.
    public var clientKey: String?
    /// After how long without a message each side makes sure that the other is there. Whole seconds, 5 to 65,535.
    public var keepAlive: Duration
    /// For how long the broker keeps the subscriptions, and the commands that come, while the board is away. MQTT
    /// 3.1.1 knows only zero and for ever.
    public var sessionExpiry: Duration
    /// How long the board may be away before the broker tells the others. A restart should not be news.
    public var willDelay: Duration
    /// For connecting, and for the broker's answer to it.
    public var connectDeadline: Duration
    /// For a connection on which nothing moves while something is unconfirmed.
    public var stallDeadline: Duration

    /// The deadlines are those of ``TransferDeadlines``.
    public init(
        broker: BrokerAddress, clientID: String, version: Version = .v5, login: HTTPCredentials? = nil,
        authorities: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil,
        keepAlive: Duration = .seconds(60), sessionExpiry: Duration = .seconds(3600),
        willDelay: Duration = .seconds(5), connectDeadline: Duration = .seconds(10),
        stallDeadline: Duration = .seconds(30)
    ) {
        self.broker = broker
        self.clientID = clientID
        self.version = version
        self.login = login
        self.authorities = authorities
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.keepAlive = keepAlive
        self.sessionExpiry = sessionExpiry
        self.willDelay = willDelay
        self.connectDeadline = connectDeadline
        self.stallDeadline = stallDeadline
    }
}

extension Duration {
    /// Whole seconds as a property of MQTT 5 takes them (four bytes).
    var mqttSeconds: UInt32 { UInt32(clamping: components.seconds) }
}
