internal import CaptureStore
internal import DeviceRuntime

/// A record as an entry of the Realtime Database.
struct FirebaseEntry {
    /// `porch/3fa2c81b/00000042-bell-pressed`: a key of its own for each record, so that storing again changes nothing.
    let path: String
    /// The record's document and, if it has a file, the address from which it can be had.
    let document: String

    /// `downloadURL` makes an address of a file's name.
    init(_ record: StoredRecord, downloadURL: (String) -> String) {
        path = "\(record.id)-\(record.part)-\(record.event)".split(separator: "/").map(Self.key).joined(separator: "/")
        let content = JSONDocument(Array(record.document.utf8))
        guard let file = content?.text("payload", "name"), content?.flag("payload", "lost") == false else {
            document = record.document
            return
        }
        document = record.document.dropLast() + ",\"download\":\(JSONText.text(downloadURL(file)))}"
    }

    /// A key must not have any of these (Firebase's documentation, "Limits").
    private static func key(_ text: Substring) -> String {
        String(text.map { ".$#[]/".contains($0) || $0.isNewline || ($0.asciiValue ?? 32) < 32 ? "-" : $0 })
    }
}
