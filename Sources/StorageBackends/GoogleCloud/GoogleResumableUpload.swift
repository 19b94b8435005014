internal import CaptureStore
internal import DeviceRuntime

/// Stores one large object chunk by chunk, in a session that the server keeps for about a week.
struct GoogleResumableUpload {
    let upload: GoogleUpload

    private var client: GoogleCloudClient { upload.client }
    private var size: Int { upload.hashes.size }

    /// The server's word on the object, which may be that its name is taken (412).
    func run() async throws -> HTTPResponse {
        let notes = ResumeFile(path: client.settings.resumeFile)
        let name = "\(upload.key) \(upload.hashes.sha256.hex)"
        var session = try await client.transport.run { notes.session(of: name) }
        var offset = 0
        if let known = session {
            switch try await progress(of: known) {
            case .ended: session = nil
            case .answered(let response): return try await finished(response, notes)
            case .reached(let reached): offset = reached
            }
        }
        let url: String
        if let session {
            url = session
        } else {
            let response = try await begin()
            guard response.status == 200, let location = response.location else { return response }
            url = location
            try await client.transport.run { notes.note(name, session: location) }
        }
        return try await finished(try await send(to: url, from: offset), notes)
    }

    private enum Progress {
        /// So many bytes are there.
        case reached(Int)
        /// There is no such session any more.
        case ended
        /// The object is complete, or refused.
        case answered(HTTPResponse)
    }

    private func begin() async throws -> HTTPResponse {
        try await client.send(
            .post, client.uploadURL("resumable"), body: HTTPBody(upload.description),
            headers: [
                "Content-Type: application/json; charset=UTF-8", "X-Upload-Content-Type: \(upload.object.mediaType)",
                "X-Upload-Content-Length: \(size)",
            ])
    }

    private func send(to session: String, from start: Int) async throws -> HTTPResponse {
        var offset = start
        while true {
            let end = min(offset + client.settings.chunkSize, size)
            let response = try await put(
                session, "bytes \(offset)-\(end - 1)/\(size)", HTTPBody(upload.object.body, in: offset..<end))
            switch progress(response) {
            case .answered(let response): return response
            case .ended:
                try await client.transport.run { ResumeFile(path: client.settings.resumeFile).clear() }
                throw StorageError(
                    .temporary(retryAfter: nil), "\(client.endpoint) has ended the upload; it begins anew")
            case .reached(let reached):
                // Less than was sent is usual; nothing at all, time after time, would go on for ever.
                guard reached > offset && reached < size else {
                    throw StorageError(
                        .temporary(retryAfter: response.retryAfter),
                        "\(client.endpoint) does not take the upload any further than \(reached) bytes")
                }
                offset = reached
            }
        }
    }

    private func progress(of session: String) async throws -> Progress {
        let response = try await put(session, "bytes */\(size)", .empty)
        if [401, 403].contains(response.status) { return .ended }
        return progress(response)
    }

    private func progress(_ response: HTTPResponse) -> Progress {
        switch response.status {
        case 308: .reached(Self.reached(response.headers["range"]))
        case 404, 410, 499: .ended
        default: .answered(response)
        }
    }

    /// `bytes=0-524287` → 524288. No range at all is nothing, and so is a single byte: Google keeps multiples of 256 KiB,
    /// and other servers say `bytes=0-0` of an upload that has nothing yet.
    static func reached(_ range: String?) -> Int {
        guard let range, range.hasPrefix("bytes=0-"), let last = Int(range.dropFirst(8)), last > 0, last < .max else {
            return 0
        }
        return last + 1
    }

    /// A session's address is its own authorisation: it goes without a token.
    private func put(_ session: String, _ range: String, _ body: HTTPBody) async throws -> HTTPResponse {
        var request = HTTPRequest(.put, session, body: body, headers: ["Content-Range: \(range)"])
        request.isAddressSecret = true
        return try await client.transport.send(request)
    }

    /// The session is over when the server has had its last word on the object, good or bad.
    private func finished(_ response: HTTPResponse, _ notes: ResumeFile) async throws -> HTTPResponse {
        if response.isSuccess || [400, 412].contains(response.status) {
            try await client.transport.run { notes.clear() }
        }
        return response
    }
}
