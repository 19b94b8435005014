/// Something that is to be stored: an event with its values and, where there is one, a file.
public struct Capture: Sendable, Hashable {
    /// A named value.
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: CaptureValue

        public init(_ name: String, _ value: CaptureValue) {
            self.name = name
            self.value = value
        }
    }

    /// A file that belongs to the event. The outbox takes it over.
    public struct Payload: Sendable, Hashable {
        /// On the outbox's file system: ``Outbox/makePayloadPath()``.
        public var path: String
        /// `image/jpeg`
        public var mediaType: String

        public init(path: String, mediaType: String) {
            self.path = path
            self.mediaType = mediaType
        }
    }

    /// The part that it came from, by its name in the configuration: `bell`.
    public var part: String
    /// `pressed`
    public var event: String
    public var recordClass: RecordClass
    /// When it happened, as time since boot.
    public var timestamp: Duration
    public var fields: [Field]
    public var payload: Payload?

    public init(
        part: String, event: String, recordClass: RecordClass = .alert, timestamp: Duration, fields: [Field] = [],
        payload: Payload? = nil
    ) {
        self.part = part
        self.event = event
        self.recordClass = recordClass
        self.timestamp = timestamp
        self.fields = fields
        self.payload = payload
    }
}

/// A value that can be stored.
public enum CaptureValue: Sendable, Hashable {
    case flag(Bool)
    case integer(Int)
    /// One that is not finite is stored as `null`: JSON has no word for it.
    case number(Double)
    case text(String)
}
