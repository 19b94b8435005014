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
        do {
            try S3Headers.check(response, hashes, client.signer.bucketURL)
        } catch {
            // The name must not stay taken by what nobody sent.
            _ = try await client.send(.delete, key)
            throw error
        }
    }

    private func put(isConditional: Bool) async throws -> HTTPResponse {
        var headers = S3Headers.describing(object, hashes, client.settings)
        headers.append("Content-MD5: \(hashes.md5.base64)")
        if isConditional { headers.append("If-None-Match: *") }
        return try await client.send(
            .put, key, body: HTTPBody(object.body), sha256: hashes.sha256, headers: headers)
    }
}
