internal import CaptureStore
internal import DeviceRuntime

/// Makes signed requests of an S3 server's address.
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
    /// `query` has to be in order of its names. `sha256` is that of the body.
    func request(
        _ method: HTTPRequest.Method, _ name: String, query: [(String, String)] = [], body: HTTPBody? = nil,
        sha256: [UInt8], headers: [String] = [], at time: WallTime
    ) throws -> HTTPRequest {
        let url = bucketURL + ServerURL.encoded(name)
        let question = query.map { "\($0)=\(ServerURL.encodedWord($1))" }.joined(separator: "&")
        let signed = try S3Signature(keys: keys, region: settings.region).signed(
            method.rawValue, host: host, path: ServerURL.path(url), query: question, headers: headers, sha256: sha256,
            at: time)
        return HTTPRequest(method, question.isEmpty ? url : "\(url)?\(question)", body: body, headers: signed)
    }
}
