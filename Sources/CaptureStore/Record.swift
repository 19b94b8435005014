internal import DeviceRuntime

/// A record in the outbox.
struct Record: Sendable, Hashable {
    /// The file that belongs to it.
    struct Payload: Sendable, Hashable {
        /// The file's name in the spool; `nil` when it is not there (any more).
        var file: String?
        var mediaType: String
        var size: Int
    }

    /// When it happened, as calendar time.
    struct Stamp: Sendable, Hashable {
        var time: WallTime
        /// `nil` for records of a version that did not ask.
        var quality: TimeQuality?
    }

    let id: RecordID
    let part: String
    let event: String
    let recordClass: RecordClass
    /// When it happened, in nanoseconds since boot.
    let monotonic: Int64
    /// Which boot that was: `/proc/sys/kernel/random/boot_id`.
    let boot: String
    let stamp: Stamp
    /// The fields' JSON object.
    let fields: String
    /// The same, one by one.
    let fieldValues: [Capture.Field]
    var payload: Payload?

    /// The record as a JSON document: the same bytes every time.
    var document: String {
        var members: [String: JSONText] = [
            "id": .text(id.description), "device": .text(id.device), "part": .text(part), "event": .text(event),
            "sequence": .integer(id.sequence), "monotonic": .seconds(nanoseconds: monotonic), "boot": .text(boot),
            "time": .text(stamp.time.description), "fields": .written(fields),
        ]
        if let quality = stamp.quality { members["clock"] = .text(quality.rawValue) }
        if let payload, let name = payloadName {
            var description: [String: JSONText] = [
                "name": .text(name), "mediaType": .text(payload.mediaType), "size": .integer(Int64(payload.size)),
            ]
            if payload.file == nil { description["lost"] = .flag(true) }
            members["payload"] = .object(description)
        }
        return JSONText.object(members).description
    }

    var documentName: String { id.objectName(part: part, event: event, extension: "json") }

    var payloadName: String? {
        payload.map { id.objectName(part: part, event: event, extension: fileExtension(ofMediaType: $0.mediaType)) }
    }

    /// What of a record goes to a backend at once.
    enum Share: Sendable, Hashable {
        case everything
        case document
        case file
    }

    /// What a backend gets of it. With everything, the small document comes first.
    func stored(_ share: Share, spool: String) -> StoredRecord {
        let document = document
        var objects: [StoredObject] = []
        if share != .file {
            objects.append(
                StoredObject(name: documentName, mediaType: "application/json", body: .bytes(Array(document.utf8))))
        }
        if share != .document, let payload, let file = payload.file, let name = payloadName {
            objects.append(
                StoredObject(
                    name: name, mediaType: payload.mediaType, body: .file(path: "\(spool)/\(file)", size: payload.size))
            )
        }
        return StoredRecord(
            id: id, part: part, event: event, time: stamp.time, fields: fieldValues, document: document,
            objects: objects)
    }
}

/// What a record's calendar time is worth.
public enum TimeQuality: String, Sendable, Hashable {
    /// The clock was known to be right when the record was accepted.
    case exact
    /// The clock was known to be right later in the same boot, and the time was reckoned back from there.
    case repaired
    /// The clock as it stood: nobody has said that it was right.
    case estimated
}

/// `image/png` → `png`; `bin` for what has no extension of its own here.
private func fileExtension(ofMediaType mediaType: String) -> String {
    switch mediaType {
    case "image/png": "png"
    case "image/jpeg": "jpg"
    default: "bin"
    }
}
