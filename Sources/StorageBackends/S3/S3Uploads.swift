internal import CaptureStore
internal import DeviceRuntime

/// The uploads in parts that a bucket knows of: what makes a large object's upload go on after anything that stopped
/// it, without a note on the board.
struct S3Uploads {
    struct Upload: Hashable {
        let key: String
        let id: String
        let initiated: WallTime?
    }

    /// A part that has arrived.
    struct Part: Hashable {
        /// The MD5 sum in hexadecimal digits.
        let tag: String
        let size: Int
    }

    let client: S3Client

    /// Lists take more room than other answers: a thousand entries of a few hundred bytes.
    private static let longestList = 1 << 20

    /// The uploads that have begun of keys that start with `prefix`, 1,000 at most. None, where that cannot be seen: some
    /// keys may write without being allowed to list.
    func list(prefix: String) async throws -> [Upload] {
        let response = try await client.send(
            .get, "", query: [("max-uploads", "1000"), ("prefix", prefix), ("uploads", "")],
            longestAnswer: Self.longestList)
        if [403, 404, 405, 501].contains(response.status) { return [] }
        if let error = S3Answer(response).error(client.signer.bucketURL) { throw error }
        return XMLText(response.body).elements("Upload").compactMap { entry in
            guard let key = entry.value("Key"), let id = entry.value("UploadId"), !id.isEmpty else { return nil }
            return Upload(key: key, id: id, initiated: entry.value("Initiated").flatMap(Self.time))
        }
    }

    /// The parts of an upload that have arrived, by number. `nil` when there is no such upload any more.
    func parts(of upload: String, key: String) async throws -> [Int: Part]? {
        var parts: [Int: Part] = [:]
        var marker = "0"
        while true {
            let response = try await client.send(
                .get, key, query: [("max-parts", "1000"), ("part-number-marker", marker), ("uploadId", upload)],
                longestAnswer: Self.longestList)
            if response.status == 404 { return nil }
            if let error = S3Answer(response).error(client.signer.bucketURL) { throw error }
            let text = XMLText(response.body)
            for entry in text.elements("Part") {
                guard let number = entry.value("PartNumber").flatMap({ Int($0) }), let tag = entry.value("ETag"),
                    let size = entry.value("Size").flatMap({ Int($0) })
                else { continue }
                parts[number] = Part(tag: tag.filter { $0 != "\"" }.lowercased(), size: size)
            }
            // A marker that does not move on would be asked for ever.
            guard text.value("IsTruncated") == "true", let next = text.value("NextPartNumberMarker"), next != marker,
                parts.count < 10_000
            else { return parts }
            marker = next
        }
    }

    /// Tells the server to forget an upload and its parts, which cost money for as long as it does not. What cannot be
    /// given up now is found again by ``abortStale(below:)``.
    func abort(_ upload: String, key: String) async throws {
        _ = try await client.send(.delete, key, query: [("uploadId", upload)])
    }

    /// Gives up uploads that began long ago: of records that were dropped before they had arrived.
    func abortStale(below prefix: String) async throws {
        let now = client.now()
        for upload in try await list(prefix: prefix) {
            guard let initiated = upload.initiated, initiated < now - Self.longestUpload else { continue }
            try await abort(upload.id, key: upload.key)
        }
    }

    /// A week: no link is so slow, and no outage so long, that going on would pay.
    private static let longestUpload = Duration.seconds(7 * 86400)

    /// `2026-03-01T07:30:00.000Z`, which some servers write without the fraction.
    private static func time(_ text: String) -> WallTime? {
        WallTime(text) ?? WallTime(String(text.prefix { $0 != "Z" && $0 != "." }) + ".000Z")
    }
}
