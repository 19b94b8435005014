internal import CaptureStore

/// A request as it goes to a server.
struct HTTPRequest: Sendable {
    /// Methods of HTTP (RFC 9110) and of WebDAV (RFC 4918).
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
        case move = "MOVE"
        case makeCollection = "MKCOL"
        case properties = "PROPFIND"
    }

    var method: Method
    /// Without credentials: it is shown in messages, unless it says that it is secret.
    var url: String
    /// Whether who has the address may use it: then messages name the server alone.
    var isAddressSecret = false
    /// `nil` sends none; an empty one sends `Content-Length: 0`.
    var body: HTTPBody?
    /// `Content-Type: application/json`
    var headers: [String]
    var credentials: HTTPCredentials?
    /// Whether the body may be sent in a content coding: for text, of which a picture is none.
    var isCompressible = false
    /// In bytes. An answer to an upload is a few lines; what sends more than this is not the server that was meant.
    var longestAnswer = 64 * 1024

    init(
        _ method: Method, _ url: String, body: HTTPBody? = nil, headers: [String] = [],
        credentials: HTTPCredentials? = nil
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.headers = headers
        self.credentials = credentials
    }

    /// The address as messages show it.
    var shownAddress: String { isAddressSecret ? ServerURL.host(url) : url }

    /// The body, where it is worth compressing: marked so, in memory, and not just a few bytes.
    var compressibleBytes: [UInt8]? {
        guard isCompressible, let body, body.pieces.count == 1, case .bytes(let bytes)? = body.pieces.first,
            bytes.count >= ContentCoding.smallestBody
        else { return nil }
        return bytes
    }
}

/// What a request carries: bytes in memory and ranges of files, one after the other. Files are read while they are
/// sent.
struct HTTPBody: Sendable {
    enum Piece: Sendable {
        case bytes([UInt8])
        /// A part of a file, in bytes from its beginning.
        case file(path: String, range: Range<Int>)

        var size: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let range): range.count
            }
        }
    }

    var pieces: [Piece]

    static let empty = HTTPBody([Piece]())

    init(_ pieces: [Piece]) { self.pieces = pieces }

    init(_ bytes: [UInt8]) { pieces = [.bytes(bytes)] }

    init(_ text: String) { pieces = [.bytes(Array(text.utf8))] }

    init(_ body: StoredObject.Body) {
        switch body {
        case .bytes(let bytes): pieces = [.bytes(bytes)]
        case .file(let path, let size): pieces = [.file(path: path, range: 0..<max(0, size))]
        }
    }

    /// The bytes of an object in a range, which is cut to what there is.
    init(_ body: StoredObject.Body, in range: Range<Int>) {
        switch body {
        case .bytes(let bytes): pieces = [.bytes(Array(bytes[range.clamped(to: bytes.indices)]))]
        case .file(let path, let size): pieces = [.file(path: path, range: range.clamped(to: 0..<max(0, size)))]
        }
    }

    var readsFiles: Bool {
        pieces.contains {
            if case .file = $0 { true } else { false }
        }
    }

    /// In bytes.
    var size: Int { pieces.reduce(0) { $0 + $1.size } }
}
