internal import CaptureStore
internal import DeviceRuntime

/// Makes requests of an S3 server's address, and signs them: AWS Signature Version 4, computed by libcurl.
struct S3Signer: Sendable {
    let settings: S3Settings
    let keys: AccessKeys
    /// The bucket's address with a slash at its end, to which names are added.
    let bucketURL: String
    private let host: String

    /// Throws ``StorageError`` when the settings have no address.
    init(_ settings: S3Settings, _ keys: AccessKeys) throws {
        self.settings = settings
        self.keys = keys
        bucketURL = try settings.bucketURL()
        host = ServerURL.host(bucketURL)
    }

    /// A signed request for an object or, with an empty name, for the bucket.
    ///
    /// `query` has to be in order of its names: it is signed as it is. `sha256` is that of the body.
    func request(
        _ method: HTTPRequest.Method, _ name: String, query: [(String, String)] = [], body: HTTPBody? = nil,
        sha256: [UInt8], headers: [String] = [], at time: WallTime
    ) -> HTTPRequest {
        var url = bucketURL + ServerURL.encoded(name)
        if !query.isEmpty {
            url += "?" + query.map { "\($0)=\(ServerURL.encodedWord($1))" }.joined(separator: "&")
        }
        var signed = [
            // With the port, which libcurl 7.88 would leave out of what it signs.
            "Host: \(host)", "X-Amz-Content-Sha256: \(sha256.hex)", "X-Amz-Date: \(Self.stamp(time))",
        ]
        if let token = keys.sessionToken { signed.append("X-Amz-Security-Token: \(token)") }
        return HTTPRequest(
            method, url, body: body, headers: signed + headers,
            credentials: .signature(keys, region: settings.region, service: "s3"))
    }

    /// `2026-03-01T07:30:00.250Z` → `20260301T073000Z`
    private static func stamp(_ time: WallTime) -> String {
        String(time.description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }) + "Z"
    }
}
