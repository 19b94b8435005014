internal import CaptureStore

/// Compares what is stored under a name with what was to be stored, without reading it.
struct S3Comparison {
    let client: S3Client
    let key: String
    let hashes: ContentHashes

    /// Whether the object is there. Throws a permanent ``StorageError`` when something else is.
    func isStored() async throws -> Bool {
        let response = try await client.send(.head, key)
        switch response.status {
        case 200:
            try compare(response)
            return true
        // Without the right to look, the answer is 403, also for what is not there.
        case 403, 404: return false
        default:
            if let error = S3Answer(response).error(client.signer.bucketURL) { throw error }
            return false
        }
    }

    /// After a server has said that the name is taken. Throws a permanent ``StorageError`` when it is by something else.
    func confirm() async throws { _ = try await isStored() }

    private func compare(_ response: HTTPResponse) throws {
        var isSame = response.contentLength == hashes.size
        if let sha256 = response.headers[S3Headers.hash] { isSame = isSame && sha256 == hashes.sha256.hex }
        if let tag = response.entityTag, S3Headers.isMD5(tag, response) {
            isSame = isSame && tag.lowercased() == hashes.md5.hex
        }
        guard isSame else {
            throw StorageError(
                .permanent, "\(client.signer.bucketURL)\(key) is already there with another content",
                advice: "two devices may use copies of one outbox; give one of them a fresh one")
        }
    }
}
