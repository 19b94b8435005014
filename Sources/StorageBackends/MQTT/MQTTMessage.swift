internal import CaptureStore

/// A message as it goes to a broker or comes from one.
public struct MQTTMessage: Sendable, Hashable {
    public var topic: String
    public var payload: [UInt8]
    /// Of one that goes: kept by the broker for whoever subscribes later, until another takes its place; an empty one
    /// only removes. Of one that comes: it is such a one, and may be old.
    public var isRetained: Bool
    /// Confirmed by the broker (QoS 1); otherwise sent and forgotten (QoS 0).
    public var isConfirmed: Bool
    // What only MQTT 5 can say.
    /// `application/json`
    public var contentType: String?
    /// Of the record that this is or belongs to.
    public var recordID: String?
    /// After how long nobody needs it any more.
    public var expiry: Duration?

    public init(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false, isConfirmed: Bool = true,
        contentType: String? = nil, recordID: String? = nil, expiry: Duration? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.isConfirmed = isConfirmed
        self.contentType = contentType
        self.recordID = recordID
        self.expiry = expiry
    }

    public init(_ topic: String, _ text: String, isRetained: Bool = false, isConfirmed: Bool = true) {
        self.init(topic, Array(text.utf8), isRetained: isRetained, isConfirmed: isConfirmed)
    }
}

/// What is to be sent, with a number by which its confirmation is known.
enum MQTTOrder: Sendable {
    case publish(MQTTMessage, ticket: UInt64)
    /// Not including what was published by this client (MQTT 5).
    case subscribe(String, ticket: UInt64)
}

/// What came of an order.
enum MQTTOutcome: Sendable, Hashable {
    case done
    /// The broker has confirmed a message and discarded it: nobody has subscribed to it (MQTT 5 alone tells).
    case unheard
    case failed(StorageError)
}
