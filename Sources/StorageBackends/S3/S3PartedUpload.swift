internal import CaptureStore
internal import DeviceRuntime

/// Stores one large object in parts. What arrived before, in whatever run of the daemon, is not sent again.
struct S3PartedUpload {
    let client: S3Client
    let object: StoredObject
    let hashes: ContentHashes

    private var key: String { client.key(object.name) }
    private var uploads: S3Uploads { S3Uploads(client: client) }
    private var comparison: S3Comparison { S3Comparison(client: client, key: key, hashes: hashes) }
    private var url: String { client.signer.bucketURL }

    func run() async throws {
        if try await comparison.isStored() { return }
        let begun = try await uploads.list(prefix: key).filter { $0.key == key }
        var arrived: [Int: S3Uploads.Part] = [:]
        var id: String?
        if let upload = begun.last, let parts = try await uploads.parts(of: upload.id, key: key) {
            (id, arrived) = (upload.id, parts)
        }
        let upload: String
        if let id { upload = id } else { upload = try await begin() }
        let digests = try await sendParts(of: upload, arrived: arrived)
        try await complete(upload, digests)
        for other in begun where other.id != upload { try await uploads.abort(other.id, key: key) }
        try await clearUpOnce()
    }

    private func begin() async throws -> String {
        let response = try await client.send(
            .post, key, query: [("uploads", "")], body: .empty,
            headers: S3Headers.describing(object, hashes, client.settings))
        if let error = S3Answer(response).error(url) { throw error }
        guard let id = XMLText(response.body).value("UploadId"), !id.isEmpty else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(url) began an upload without naming it",
                advice: "check that the endpoint is that of an S3 server")
        }
        return id
    }

    /// Sends what has not arrived, and returns the MD5 sums of all parts.
    private func sendParts(of upload: String, arrived: [Int: S3Uploads.Part]) async throws -> [[UInt8]] {
        let size = Self.partSize(of: hashes.size, at: client.settings.partSize)
        var digests: [[UInt8]] = []
        for (index, start) in stride(from: 0, to: hashes.size, by: size).enumerated() {
            let body = HTTPBody(object.body, in: start..<min(start + size, hashes.size))
            let part = try await client.transport.hashes(of: body)
            digests.append(part.md5)
            if arrived[index + 1] == S3Uploads.Part(tag: part.md5.hex, size: part.size) { continue }
            let response = try await client.send(
                .put, key, query: [("partNumber", "\(index + 1)"), ("uploadId", upload)], body: body,
                sha256: part.sha256, headers: ["Content-MD5: \(part.md5.base64)"])
            if let error = S3Answer(response).error(url) { throw error }
            try S3Headers.check(response, part, url)
        }
        return digests
    }

    private func complete(_ upload: String, _ digests: [[UInt8]]) async throws {
        let parts = digests.enumerated().map {
            "<Part><PartNumber>\($0 + 1)</PartNumber><ETag>\"\($1.hex)\"</ETag></Part>"
        }
        let list = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        let isConditional = client.isConditional
        let response = try await client.send(
            .post, key, query: [("uploadId", upload)], body: HTTPBody(list), sha256: try Digest.of(list, .sha256),
            headers: ["Content-Type: application/xml"] + (isConditional ? ["If-None-Match: *"] : []))
        let answer = S3Answer(response)
        if isConditional && response.status == 412 {
            try await comparison.confirm()
            return try await uploads.abort(upload, key: key)
        }
        if isConditional && answer.isUnimplemented {
            client.giveUpConditions()
            return try await complete(upload, digests)
        }
        if let error = answer.error(url) { throw error }
        let expected = try Digest.of(digests.flatMap { $0 }, .md5).hex + "-\(digests.count)"
        let tag = XMLText(response.body).value("ETag")?.filter { $0 != "\"" }.lowercased()
        if tag == expected { return }
        // A server that encrypts with a key of its own has another tag; one that is of this form has another content.
        guard let tag, tag.count == expected.count, tag.hasSuffix("-\(digests.count)") else {
            guard try await comparison.isStored() else {
                throw StorageError(.temporary(retryAfter: nil), "\(url) has confirmed \(key), but does not have it")
            }
            return
        }
        _ = try await client.send(.delete, key)
        throw S3Headers.damaged(url, tag)
    }

    private func clearUpOnce() async throws {
        guard client.beginsClearingUp() else { return }
        let device = object.name.prefix { $0 != "/" }
        try await uploads.abortStale(below: client.key("\(device)/"))
    }

    /// S3 takes 10,000 parts at most: larger ones for an object that would need more.
    static func partSize(of size: Int, at least: Int) -> Int {
        let mebibyte = 1 << 20
        return max(least, (size / 10_000 / mebibyte + 1) * mebibyte)
    }
}
