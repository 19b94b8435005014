public import CaptureStore
public import DeviceRuntime

/// Sends records with a POST to one address: a web service of your own, a log collector, Home Assistant, ntfy, a chat.
/// Files stay out.
public final class HTTPPostBackend: StorageBackend {
    public enum Format: Sendable, Hashable {
        /// A record in each request, as it is.
        case json
        /// Many records in each request, one to a line.
        case lines
        /// A record in each request, in words of your own.
        case template(BodyTemplate, contentType: String)
    }

    public struct Options: Sendable {
        public var format: Format
        /// Signs each body: shown in no message.
        public var signature: BodySignature?
        /// What the answer has to contain. Without it the status alone counts.
        public var expectation: String?
        /// Comes behind the address and is shown in no message: the secret part of a webhook's.
        public var secretPath: String?

        public init(
            format: Format = .json, signature: BodySignature? = nil, expectation: String? = nil,
            secretPath: String? = nil
        ) {
            self.format = format
            self.signature = signature
            self.expectation = expectation
            self.secretPath = secretPath
        }
    }

    public let name: String
    public let destination: String
    public let batchLimit: Int
    private let address: String
    private let options: Options
    private let credentials: HTTPCredentials?
    private let transport: HTTPTransport

    /// Records in one request, where it takes many: some 100 KB.
    private static let mostLines = 500

    /// `url` is a whole address, with a query if it needs one. Throws `SystemError` when the system is out of resources.
    public init(
        name: String, url: String, options: Options = Options(), credentials: HTTPCredentials? = nil,
        connection: ConnectionSettings = ConnectionSettings(compression: .automatic), loop: EventLoop
    ) throws {
        self.name = name
        destination = url
        self.options = options
        self.credentials = credentials
        batchLimit = options.format == .lines ? Self.mostLines : 1
        address =
            options.secretPath.map { (url.hasSuffix("/") ? url : url + "/") + $0.drop { $0 == "/" } } ?? url
        transport = try HTTPTransport(named: name, connection, loop: loop)
    }

    /// Whether a text is such an address: http or https, without a login or a fragment.
    public static func isValid(_ url: String) -> Bool {
        let query = url.drop { $0 != "?" }
        return ServerURL.isValid(String(url.prefix { $0 != "?" }))
            && query.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    public func store(_ records: [StoredRecord]) async throws {
        let (body, contentType) = body(records)
        let bytes = Array(body.utf8)
        var headers = ["Content-Type: \(contentType)", "Idempotency-Key: \(try Self.key(records))"]
        if let signature = options.signature { headers.append(signature.header(bytes)) }
        var request = HTTPRequest(
            .post, address, body: HTTPBody(bytes), headers: headers, credentials: credentials)
        // A signature is that of the bytes that the receiver sees.
        request.isCompressible = options.signature == nil
        do {
            let response = try await transport.send(request)
            if let error = error(response) { throw error }
        } catch var error as StorageError {
            error.message = error.message.replacing(address, with: destination)
            throw error
        }
    }

    private func body(_ records: [StoredRecord]) -> (text: String, contentType: String) {
        switch options.format {
        case .json: (records.map(\.document).joined(separator: "\n"), "application/json")
        case .lines: (records.map { $0.document + "\n" }.joined(), "application/x-ndjson")
        case .template(let template, let contentType):
            (
                records.map { template.text($0, isJSON: contentType.contains("json")) }.joined(separator: "\n"),
                contentType
            )
        }
    }

    /// Of one record its identity; of several a hash of all, the same for the same ones.
    private static func key(_ records: [StoredRecord]) throws -> String {
        let names = records.map(\.id.description)
        guard names.count > 1 else { return names.first ?? "" }
        return try Digest.of(Array(names.joined(separator: "\n").utf8), .sha256).hex
    }

    private func error(_ response: HTTPResponse) -> StorageError? {
        let status = response.status
        func failure(_ kind: StorageError.Kind, _ meaning: String, advice: String? = nil) -> StorageError {
            StorageError(kind, "\(destination) answers \(status): \(meaning)", advice: advice)
        }
        switch status {
        case 404, 405, 501, 505:
            return failure(
                HTTPVerdict.misconfigured, "nobody takes a POST there", advice: "check url and what it expects")
        // By the header's draft (IETF httpapi): the request of the try before is still at work.
        case 409: return failure(.temporary(retryAfter: response.retryAfter), "it is at work on this record already")
        default: break
        }
        if let error = HTTPVerdict.error(response, destination: destination, success: [200, 201, 202, 204]) {
            return error
        }
        guard let expectation = options.expectation, !response.text.contains(expectation) else { return nil }
        return failure(
            .temporary(retryAfter: response.retryAfter),
            "without '\(expectation)', by which it says that the record is stored",
            advice: "check url, and expect against what the server answers")
    }
}

/// Proves to a receiver that a body comes from this board, by HMAC-SHA256 with a key that both know. Shows itself in
/// no description or mirror.
public struct BodySignature: Sendable, CustomStringConvertible, CustomReflectable {
    private let name: String
    private let key: [UInt8]

    /// `header` is the header's name. `nil` when it is none, or the key is empty.
    public init?(header: String, key: [UInt8]) {
        guard !key.isEmpty, Self.isHeader(header) else { return nil }
        name = header
        self.key = key
    }

    /// Whether a text is a header's name (RFC 9110, 5.6.2).
    public static func isHeader(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-")
            }
    }

    /// `X-Hub-Signature-256: sha256=…`, as GitHub and many after it write it.
    func header(_ body: [UInt8]) -> String { "\(name): sha256=\(Digest.hmacSHA256(body, key: key).hex)" }

    public var description: String { "a key" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
