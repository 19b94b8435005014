internal import CaptureStore
internal import DeviceRuntime

/// Stores one object in Google's storage, with one request or with many.
struct GoogleUpload {
    let client: GoogleCloudClient
    let object: StoredObject
    let hashes: ContentHashes
    /// What is kept with the object, as Firebase's download token is.
    let metadata: [String: String]

    var key: String { client.key(object.name) }

    func run() async throws {
        let response: HTTPResponse
        // Two chunks are worth a session of their own.
        if hashes.size < 2 * client.settings.chunkSize {
            response = try await sendAtOnce()
        } else {
            response = try await GoogleResumableUpload(upload: self).run()
        }
        if response.status == 412 { return try await confirm() }
        if let error = client.error(response) { throw error }
        guard let stored = GoogleObject(response) else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(client.endpoint) answers without describing what it stored",
                advice: "check that the address is that of Google's storage")
        }
        guard stored.matches(hashes) else {
            // The name must not stay taken by what nobody sent.
            if let generation = stored.generation {
                _ = try await client.send(.delete, "\(client.objectURL(key))?ifGenerationMatch=\(generation)")
            }
            throw StorageError(
                .temporary(retryAfter: nil), "\(client.endpoint) has stored something else than was sent as \(key)",
                advice: "it is sent again; if that goes on, look for what changes data on the way")
        }
    }

    /// What the server is told of the object before it comes.
    var description: String {
        var members: [String: JSONText] = [
            "name": .text(key), "contentType": .text(object.mediaType), "md5Hash": .text(hashes.md5.base64),
        ]
        if let crc32c = hashes.crc32cBase64 { members["crc32c"] = .text(crc32c) }
        if !metadata.isEmpty { members["metadata"] = .object(metadata.mapValues { .text($0) }) }
        return JSONText.object(members).description
    }

    private func sendAtOnce() async throws -> HTTPResponse {
        // Found in no content that anybody has made: it is made of the content's hash.
        let boundary = "perch-\(hashes.sha256.hex)"
        let head =
            "--\(boundary)\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n\(description)\r\n"
            + "--\(boundary)\r\nContent-Type: \(object.mediaType)\r\n\r\n"
        let body = HTTPBody(
            [.bytes(Array(head.utf8))] + HTTPBody(object.body).pieces + [.bytes(Array("\r\n--\(boundary)--\r\n".utf8))])
        return try await client.send(
            .post, client.uploadURL("multipart"), body: body,
            headers: ["Content-Type: multipart/related; boundary=\(boundary)"])
    }

    /// After the server has said that the name is taken.
    private func confirm() async throws {
        let response = try await client.send(.get, client.objectURL(key))
        // Without the right to look, it is believed.
        if response.status == 403 { return }
        if let error = client.error(response) { throw error }
        guard GoogleObject(response)?.matches(hashes) == true else {
            throw StorageError(
                .permanent, "\(client.endpoint)\(client.settings.bucket)/\(key) is already there with another content",
                advice: "two devices may use copies of one outbox; give one of them a fresh one")
        }
    }
}
