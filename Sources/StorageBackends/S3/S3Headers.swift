internal import CaptureStore

/// Headers that go with objects.
enum S3Headers {
    /// Kept with the object, so that it can be compared without being read.
    static let hash = "x-amz-meta-sha256"

    static func describing(_ object: StoredObject, _ hashes: ContentHashes, _ settings: S3Settings) -> [String] {
        var headers = ["Content-Type: \(object.mediaType)", "\(hash): \(hashes.sha256.hex)"]
        if let storageClass = settings.storageClass { headers.append("X-Amz-Storage-Class: \(storageClass)") }
        return headers
    }

    /// Whether an entity tag is the content's MD5 sum: not when the server encrypts with a key of its own.
    static func isMD5(_ tag: String, _ response: HTTPResponse) -> Bool {
        tag.count == 32 && tag.allSatisfy(\.isHexDigit)
            && response.headers["x-amz-server-side-encryption"].map { $0 == "AES256" } ?? true
            && response.headers["x-amz-server-side-encryption-customer-algorithm"] == nil
    }
}
