internal import DeviceRuntime

/// A record as it lies in the database. It does not change after it was written.
struct RecordRow: StoredRow, Hashable {
    static let table = "records"
    static let columnCount = 15

    /// What the clock's time was worth when the record was accepted.
    enum Clock: Int64 {
        case unknown = 0
        case right = 1
        /// Accepted by a version that did not ask.
        case unstated = 2
    }

    var sequence: Int64
    var device: String
    var identity: String
    var part: String
    var event: String
    var recordClass: RecordClass
    /// Nanoseconds since boot.
    var monotonic: Int64
    /// The boot's row.
    var boot: Int64
    /// Nanoseconds since 1970, by the clock as it stood.
    var time: Int64
    var clock: Clock
    /// A JSON object.
    var fields: String
    /// The file's name in the spool; `nil` also for one that was lost before it got there.
    var file: String?
    /// `nil` where no file belongs to the record.
    var mediaType: String?
    var size: Int64

    var values: [DatabaseValue] {
        [
            .integer(sequence), .text(device), .text(identity), .text(part), .text(event),
            .integer(recordClass.rawValue), .integer(monotonic), .integer(boot), .integer(time),
            .integer(clock.rawValue), .text(fields), file.map { .text($0) } ?? .null,
            mediaType.map { .text($0) } ?? .null, .integer(size),
        ]
    }

    /// What a record takes, for the bounds: its file, its values, and about what the rest of a row and its place in
    /// the tables need.
    var bytes: Int64 { size + Int64(fields.utf8.count) + Self.overhead }
    static let overhead: Int64 = 128
    /// ``bytes`` in SQL.
    static let bytesExpression = "size + length(CAST(fields AS BLOB)) + \(overhead)"
}

extension RecordRow {
    init?(columns: [DatabaseValue]) {
        guard let sequence = columns[0].integer, let device = columns[1].text, let identity = columns[2].text,
            let part = columns[3].text, let event = columns[4].text,
            let recordClass = columns[5].integer.flatMap(RecordClass.init), let monotonic = columns[6].integer,
            let boot = columns[7].integer, let time = columns[8].integer,
            let clock = columns[9].integer.flatMap(Clock.init), let fields = columns[10].text,
            let size = columns[13].integer
        else { return nil }
        self.init(
            sequence: sequence, device: device, identity: identity, part: part, event: event, recordClass: recordClass,
            monotonic: monotonic, boot: boot, time: time, clock: clock, fields: fields, file: columns[11].text,
            mediaType: columns[12].text, size: size)
    }
}
