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

    /// Every S3 server names what it stored by an entity tag. Where it is an MD5 sum, it has to be ours.
    static func check(_ response: HTTPResponse, _ hashes: ContentHashes, _ url: String) throws {
        guard let tag = response.entityTag else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(url) answers \(response.status), but without an ETag",
                advice: "check that the endpoint is that of an S3 server")
        }
        guard !isMD5(tag, response) || tag.lowercased() == hashes.md5.hex else { throw damaged(url, tag) }
    }

    static func damaged(_ url: String, _ tag: String) -> StorageError {
        StorageError(
            .temporary(retryAfter: nil), "\(url) has stored something else than was sent: its ETag is \(tag)",
            advice: "it is sent again; if that goes on, look for what changes data on the way")
    }
}
