/// Something that a part noticed or did: what rules react to and what is stored.
public struct Event: Sendable, Hashable {
    /// A named value; the order is the driver's.
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: Value

        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// A file that belongs to the event. Who stores the event takes the file over.
    public struct Payload: Sendable, Hashable {
        public var path: String
        /// `image/jpeg`
        public var mediaType: String

        public init(path: String, mediaType: String) {
            self.path = path
            self.mediaType = mediaType
        }
    }

    /// The device's name in the configuration: `bell`.
    public var device: String
    /// The event's name in the driver's table: `pressed`.
    public var name: String
    /// When it happened, as time since boot.
    public var timestamp: Duration
    public var fields: [Field]
    public var payload: Payload?

    public init(
        device: String, name: String, timestamp: Duration, fields: [Field] = [], payload: Payload? = nil
    ) {
        self.device = device
        self.name = name
        self.timestamp = timestamp
        self.fields = fields
        self.payload = payload
    }
}

/// An entry of a driver's table of events.
public struct EventDescription: Sendable {
    public let name: String
    public let summary: String
    /// Every field that such an event may carry; one event need not have all of them.
    public let fields: [FieldDescription]
    /// Whether a picture belongs to it, as its payload.
    public let hasPicture: Bool
    /// What must be set for it ever to be told; `nil` if it always can be.
    public let need: Need?
    /// Unless the configuration says otherwise.
    public let recordClass: EventClass

    public init(
        _ name: String, _ summary: String, fields: [FieldDescription] = [], hasPicture: Bool = false,
        needs need: Need? = nil, recordedAs recordClass: EventClass = .alert
    ) {
        self.name = name
        self.summary = summary
        self.fields = fields
        self.hasPicture = hasPicture
        self.need = need
        self.recordClass = recordClass
    }
}

/// An entry of a driver's table of states: conditions that hold for a while, such as `moving`, which a rule
/// can require or exclude.
public struct StateDescription: Sendable {
    public let name: String
    public let summary: String
    /// What must be set for it ever to hold; `nil` if it always can.
    public let need: Need?

    public init(_ name: String, _ summary: String, needs need: Need? = nil) {
        self.name = name
        self.summary = summary
        self.need = need
    }
}

/// What an event or a state needs of the device's options: a rule that waits for what cannot come is an error in the
/// configuration, not a rule that never applies.
public struct Need: Sendable {
    /// In words: `clicks of 1 or more`.
    public let text: String
    public let isMet: @Sendable (OptionValues) throws -> Bool

    public init<Value>(
        _ option: Option<Value>, _ words: String, _ isMet: @escaping @Sendable (Value) -> Bool
    ) {
        text = "\(option.name) \(words)"
        self.isMet = { isMet(try $0[option]) }
    }

    /// An option that is set at all.
    public init<Wrapped>(_ option: Option<Wrapped?>) {
        self.init(option, "to be set") { $0 != nil }
    }

    /// One of two options that is set.
    public init<First, Second>(_ first: Option<First?>, or second: Option<Second?>) {
        text = "\(first.name) or \(second.name) to be set"
        isMet = { options in
            if try options[first] != nil { return true }
            return try options[second] != nil
        }
    }
}
