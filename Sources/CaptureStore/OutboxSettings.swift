/// How an outbox keeps records.
public struct OutboxSettings: Sendable, Hashable {
    /// When readings are written: whichever comes first.
    public struct Grouping: Sendable, Hashable {
        /// How long the first of a group waits.
        public var time: Duration
        /// How many make a group full.
        public var records: Int

        public init(time: Duration = .seconds(60), records: Int = 64) {
            self.time = time
            self.records = records
        }
    }

    /// What happens when a class has as many bytes as it may.
    public enum FullPolicy: String, Sendable, Hashable, CaseIterable {
        /// New ones are not taken.
        case refuse
        /// The oldest make room.
        case dropOldest = "drop-oldest"
        /// Every second one of each kind goes, from the oldest on: old times are kept more and more coarsely.
        case thin
    }

    /// What a class of records may take.
    public struct Bounds: Sendable, Hashable {
        /// Files included.
        public var bytes: Int64
        /// Older ones are dropped; `nil` keeps them for as long as it takes.
        public var age: Duration?
        public var whenFull: FullPolicy

        public init(bytes: Int64, age: Duration? = nil, whenFull: FullPolicy) {
            self.bytes = bytes
            self.age = age
            self.whenFull = whenFull
        }
    }

    public var grouping = Grouping()
    public var alerts = Bounds(bytes: 1 << 30, whenFull: .dropOldest)
    public var readings = Bounds(bytes: 256 << 20, whenFull: .thin)
    /// In memory.
    public var diagnostics = Bounds(bytes: 256 << 10, whenFull: .dropOldest)

    /// How long after boot a record waits for the clock to become right before it leaves with the time as it stands.
    public var clockPatience = Duration.seconds(120)

    public init() {}

    subscript(recordClass: RecordClass) -> Bounds {
        switch recordClass {
        case .alert: alerts
        case .reading: readings
        case .diagnostic: diagnostics
        }
    }
}
