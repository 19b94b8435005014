internal import DeviceRuntime

/// A record in the outbox.
public struct Record: Sendable, Hashable {
    /// The file that belongs to it.
    struct Payload: Sendable, Hashable {
        /// The file's name in the spool.
        var file: String
        var mediaType: String
        var size: Int
        /// The file is not there (any more).
        var isLost: Bool
    }

    public let id: RecordID
    public let part: String
    public let event: String
    /// When it happened, in nanoseconds since boot.
    let monotonic: Int64
    /// Which boot that was: `/proc/sys/kernel/random/boot_id`.
    let boot: String
    /// The same as calendar time, by the clock as it stood at acceptance.
    public let time: String
    /// The fields' JSON object.
    let fields: String
    /// The same, one by one.
    var fieldValues: [Capture.Field]
    var payload: Payload?

    /// The record as a JSON document: the same bytes every time.
    var document: String {
        var members: [String: JSONText] = [
            "id": .text(id.description), "device": .text(id.device), "part": .text(part), "event": .text(event),
            "sequence": .integer(id.sequence), "monotonic": .seconds(nanoseconds: monotonic), "boot": .text(boot),
            "time": .text(time), "fields": .written(fields),
        ]
        if let payload, let name = payloadName {
            var description: [String: JSONText] = [
                "name": .text(name), "mediaType": .text(payload.mediaType), "size": .integer(Int64(payload.size)),
            ]
            if payload.isLost { description["lost"] = .flag(true) }
            members["payload"] = .object(description)
        }
        return JSONText.object(members).description
    }

    var documentName: String { id.objectName(part: part, event: event, extension: "json") }

    var payloadName: String? {
        payload.map { id.objectName(part: part, event: event, extension: fileExtension(ofMediaType: $0.mediaType)) }
    }

    /// What a backend gets of it.
    func stored(spool: String) -> StoredRecord {
        StoredRecord(
            id: id, part: part, event: event, time: WallTime(time) ?? WallTime(sinceEpoch: .zero),
            fields: fieldValues, document: document, objects: objects(spool: spool))
    }

    /// What a backend is to store, in this order: the small document first.
    private func objects(spool: String) -> [StoredObject] {
        var objects = [
            StoredObject(name: documentName, mediaType: "application/json", body: .bytes(Array(document.utf8)))
        ]
        if let payload, !payload.isLost, let name = payloadName {
            objects.append(
                StoredObject(
                    name: name, mediaType: payload.mediaType,
                    body: .file(path: "\(spool)/\(payload.file)", size: payload.size)))
        }
        return objects
    }
}

/// `image/png` → `png`; `bin` for what has no extension of its own here.
private func fileExtension(ofMediaType mediaType: String) -> String {
    switch mediaType {
    case "image/png": "png"
    case "image/jpeg": "jpg"
    default: "bin"
    }
}
