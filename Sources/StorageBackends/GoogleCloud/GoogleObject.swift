internal import CaptureStore

/// What Google's storage says of an object.
struct GoogleObject {
    private let document: JSONDocument

    /// `nil` for what does not describe an object.
    init?(_ response: HTTPResponse) {
        guard let document = JSONDocument(response.body), document.text("name") != nil else { return nil }
        self.document = document
    }

    var generation: String? { document.text("generation") }

    /// Whether the object has this content: its size, and each hash that the server names.
    func matches(_ hashes: ContentHashes) -> Bool {
        guard document.text("size") == "\(hashes.size)" else { return false }
        if let md5 = document.text("md5Hash"), md5 != hashes.md5.base64 { return false }
        if let own = hashes.crc32cBase64, let crc32c = document.text("crc32c"), crc32c != own { return false }
        return true
    }
}

extension ContentHashes {
    /// As Google writes it: the four bytes in order of their weight.
    var crc32cBase64: String? { crc32c.map { withUnsafeBytes(of: $0.bigEndian) { Array($0) }.base64 } }
}
