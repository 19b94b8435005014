internal import DeviceRuntime

/// AWS Signature Version 4, as AWS's documentation describes it ("Create a signed AWS API request").
///
/// libcurl can sign, too, but not with another time than the board's: up to 7.88, Debian 12's, it then sends the header
/// with the time twice, and servers refuse that.
struct S3Signature {
    let keys: AccessKeys
    let region: String

    /// The headers of a request, signed: those given, and what the signature adds.
    ///
    /// `path` and `query` are encoded as they stand in the address; `query` is in order of its names. `sha256` is that of
    /// the body.
    func signed(
        _ method: String, host: String, path: String, query: String, headers: [String], sha256: [UInt8],
        at time: WallTime
    ) throws -> [String] {
        let stamp = Self.stamp(time)
        var all = headers + ["Host: \(host)", "X-Amz-Content-Sha256: \(sha256.hex)", "X-Amz-Date: \(stamp)"]
        if let token = keys.sessionToken { all.append("X-Amz-Security-Token: \(token)") }
        let fields = all.map(Self.field).sorted { $0.name < $1.name }
        let names = fields.map(\.name).joined(separator: ";")
        let request =
            ([method, path, query] + fields.map { "\($0.name):\($0.value)" } + ["", names, sha256.hex])
            .joined(separator: "\n")
        let day = String(stamp.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n" + (try Digest.of(Array(request.utf8), .sha256).hex)
        var key = Array("AWS4\(keys.secretKey)".utf8)
        for part in [day, region, "s3", "aws4_request"] { key = Digest.hmacSHA256(Array(part.utf8), key: key) }
        let signature = Digest.hmacSHA256(Array(text.utf8), key: key).hex
        return all + [
            "Authorization: AWS4-HMAC-SHA256 Credential=\(keys.accessKey)/\(scope),SignedHeaders=\(names),"
                + "Signature=\(signature)"
        ]
    }

    /// `Content-Type:  text/plain` → `content-type` and `text/plain`
    private static func field(_ header: String) -> (name: String, value: String) {
        let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Spaces are one, and none at the ends.
        let value = (parts.count == 2 ? parts[1] : "").split(separator: " ").joined(separator: " ")
        return (parts[0].lowercased(), value)
    }

    /// `2026-03-01T07:30:00.250Z` → `20260301T073000Z`
    private static func stamp(_ time: WallTime) -> String {
        String(time.description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }) + "Z"
    }
}
