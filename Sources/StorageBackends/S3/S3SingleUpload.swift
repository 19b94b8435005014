internal import CaptureStore

/// Stores one object with one request.
struct S3SingleUpload {
    let client: S3Client
    let object: StoredObject
    let hashes: ContentHashes

    private var key: String { client.key(object.name) }

    func run() async throws {
        if !client.isConditional {
            // A server without conditions would replace what is there, and say nothing.
            if try await S3Comparison(client: client, key: key, hashes: hashes).isStored() { return }
        }
        let isConditional = client.isConditional
        let response = try await put(isConditional: isConditional)
        let answer = S3Answer(response)
        if isConditional && response.status == 412 {
            return try await S3Comparison(client: client, key: key, hashes: hashes).confirm()
        }
        if isConditional && answer.isUnimplemented {
            client.giveUpConditions()
            return try await run()
        }
        if let error = answer.error(client.signer.bucketURL) { throw error }
        try check(response)
    }

    private func put(isConditional: Bool) async throws -> HTTPResponse {
        var headers = S3Headers.describing(object, hashes, client.settings)
        headers.append("Content-MD5: \(hashes.md5.base64)")
        if isConditional { headers.append("If-None-Match: *") }
        return try await client.send(
            .put, key, body: HTTPBody(object.body), sha256: hashes.sha256, headers: headers)
    }

    /// Every S3 server names what it stored by an entity tag. Where it is an MD5 sum, it has to be ours.
    private func check(_ response: HTTPResponse) throws {
        let url = client.signer.bucketURL
        guard let tag = response.entityTag else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(url) answers \(response.status), but without an ETag",
                advice: "check that the endpoint is that of an S3 server")
        }
        guard !S3Headers.isMD5(tag, response) || tag.lowercased() == hashes.md5.hex else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(url) has stored something else than was sent: its ETag is \(tag)",
                advice: "it is sent again; if that goes on, look for what changes data on the way")
        }
    }
}
