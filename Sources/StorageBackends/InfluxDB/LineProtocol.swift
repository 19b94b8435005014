internal import CaptureStore
internal import DeviceRuntime

/// Writes records as lines for InfluxDB: measurement, tags, fields, time. The same record is the same line every time.
///
/// A line in the place of one with the same measurement, tags and time overwrites it. So a record that comes twice is
/// one point, and two records must never have the same time: it is the record's, to the millisecond, and its number
/// in the nanoseconds below.
struct LineProtocol: Sendable {
    /// What the measurement is called: `{part}`, with `{device}`, `{part}` and `{event}` for those names.
    let measurement: NamePattern

    /// Ends with a newline.
    func line(_ record: StoredRecord) -> String {
        let names = [
            (key: "device", value: record.id.device), (key: "event", value: record.event),
            (key: "part", value: record.part),
        ]
        // In the order in which the server keeps them: it then has nothing to sort.
        let tags = names.map { ",\($0.key)=\(Self.escaped($0.value, ", ="))" }.joined()
        return "\(Self.escaped(measurement.text(names), ", "))\(tags) \(fields(record)) \(Self.time(record))\n"
    }

    /// At least one: a line needs it, and a record of a press has none of its own.
    private func fields(_ record: StoredRecord) -> String {
        var texts = ["sequence": "\(record.id.sequence)i"]
        for field in record.fields {
            // "time" is the point's.
            texts[field.name == "time" ? "time_" : field.name] = Self.value(field.value)
        }
        return texts.sorted { $0.key < $1.key }
            .map { "\(Self.escaped($0.key, ", ="))=\($0.value)" }.joined(separator: ",")
    }

    /// `nil` for a number that is not finite: the protocol has no word for it.
    private static func value(_ value: CaptureValue) -> String? {
        switch value {
        case .flag(let flag): flag ? "true" : "false"
        case .integer(let integer): "\(integer)i"
        case .number(let number): number.isFinite ? "\(number)" : nil
        case .text(let text): "\"\(escaped(text, "\"\\", inQuotes: true))\""
        }
    }

    private static let nanosecondsPerMillisecond: Int64 = 1_000_000

    /// In nanoseconds since 1970.
    private static func time(_ record: StoredRecord) -> Int64 {
        let (seconds, attoseconds) = record.time.sinceEpoch.components
        // Up to the year 2255: what a board's clock says beyond is wrong, and must not end the daemon.
        guard (-9_000_000_000...9_000_000_000).contains(seconds) else { return 0 }
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return (seconds * 1000 + milliseconds) * nanosecondsPerMillisecond
            + record.id.sequence % nanosecondsPerMillisecond
    }

    /// A text with a backslash before each of some characters. Outside quotes a backslash or a line break of its own
    /// cannot be written; there each is an underscore.
    private static func escaped(_ text: String, _ special: String, inQuotes: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if special.unicodeScalars.contains(scalar) {
                result += "\\"
            } else if !inQuotes && (scalar == "\\" || scalar.value < 0x20) {
                result += "_"
                continue
            }
            result.unicodeScalars.append(scalar)
        }
        return result.isEmpty && !inQuotes ? "_" : result
    }
}

/// A name with places for others: `perch_{part}`.
public struct NamePattern: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        case name(String)
    }

    private let pieces: [Piece]

    /// The names that may stand in braces.
    public static let names = ["device", "part", "event"]

    /// `nil` when it is empty, a brace stands alone, or a name is none of ``names``.
    public init?(_ text: String) {
        var pieces: [Piece] = []
        for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            var rest = part
            if index > 0 {
                guard let end = part.firstIndex(of: "}"), Self.names.contains(String(part[..<end])) else { return nil }
                pieces.append(.name(String(part[..<end])))
                rest = part[part.index(after: end)...]
            }
            guard !rest.contains("}") else { return nil }
            if !rest.isEmpty { pieces.append(.text(String(rest))) }
        }
        guard !pieces.isEmpty else { return nil }
        self.pieces = pieces
    }

    func text(_ values: [(key: String, value: String)]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .name(let name): values.first { $0.key == name }?.value ?? ""
            }
        }.joined()
    }
}
