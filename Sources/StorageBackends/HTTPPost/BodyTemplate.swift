internal import CaptureStore
internal import DeviceRuntime

/// The body of a request with places for what a record says: `{"text": "${part} ${event}"}`.
public struct BodyTemplate: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        case name(String)
        case field(String)
        /// The whole record as JSON.
        case record
    }

    private let pieces: [Piece]

    /// The names that may stand in `${…}`; besides them `${fields.temperature}` stands for a field.
    public static let names = ["record", "id", "device", "part", "event", "time"]

    /// `nil` when it is empty, or what stands in `${…}` is none of ``names`` and no field.
    public init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            if start.lowerBound > rest.startIndex { pieces.append(.text(String(rest[..<start.lowerBound]))) }
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else { return nil }
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if name == "record" {
                pieces.append(.record)
            } else if Self.names.contains(name) {
                pieces.append(.name(name))
            } else if name.hasPrefix("fields."), name.count > "fields.".count {
                pieces.append(.field(String(name.dropFirst("fields.".count))))
            } else {
                return nil
            }
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        guard !pieces.isEmpty else { return nil }
        self.pieces = pieces
    }

    /// The text for a record. In JSON what is put in is escaped, so that it stays within the quotes around it.
    func text(_ record: StoredRecord, isJSON: Bool) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .record: record.document
            case .name(let name): Self.inserted(Self.value(name, of: record), isJSON: isJSON)
            case .field(let name):
                Self.inserted(record.fields.last { $0.name == name }?.value.text ?? "", isJSON: isJSON)
            }
        }.joined()
    }

    private static func value(_ name: String, of record: StoredRecord) -> String {
        switch name {
        case "id": record.id.description
        case "device": record.id.device
        case "part": record.part
        case "event": record.event
        default: record.time.description
        }
    }

    private static func inserted(_ text: String, isJSON: Bool) -> String {
        isJSON ? String(JSONText.text(text).description.dropFirst().dropLast()) : text
    }
}

extension CaptureValue {
    fileprivate var text: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .text(let text): text
        }
    }
}
