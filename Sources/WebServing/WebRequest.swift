/// What a browser, or a program, asks for.
public struct WebRequest: Sendable {
    /// `GET`
    public let method: String
    /// Decoded, without the query: `/api/status`.
    public let path: String
    /// By their names in small letters; those of ``readHeaders`` only.
    public let headers: [String: String]
    public internal(set) var body: [UInt8] = []

    /// The headers that anybody here looks at.
    static let readHeaders = [
        "host", "origin", "authorization", "accept-encoding", "sec-fetch-site", "x-perch", "content-length",
    ]
    /// What is longer is refused. (A command has a few words.)
    static let longestBody = 4096

    public init(method: String, path: String, headers: [String: String]) {
        self.method = method
        self.path = path
        self.headers = headers
    }
}

/// A whole answer.
public struct WebResponse: Sendable {
    /// RFC 9110, 15.
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
