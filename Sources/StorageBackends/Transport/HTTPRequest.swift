internal import CaptureStore

/// What is sent: one object to one address.
struct HTTPRequest: Sendable {
    /// Without credentials: it is shown in messages.
    var url: String
    var body: StoredObject.Body
    /// `Content-Type: application/json`
    var headers: [String]
    var credentials: HTTPCredentials?
}

/// What came back, as far as it matters.
struct HTTPResponse: Sendable, Hashable {
    var status: Int
    /// `text/html; charset=utf-8`; empty when the server does not say.
    var contentType = ""
    /// How long the server asks to wait.
    var retryAfter: Duration?
    /// Where a redirect points to.
    var location: String?
    /// The beginning of the body.
    var body: [UInt8] = []
}

/// How long a transfer may take. Each ends with a temporary error, so none is the end of a record.
public struct TransferDeadlines: Sendable, Hashable {
    /// For finding the server, connecting and agreeing on TLS.
    public var connect: Duration
    /// For a connection on which (almost) nothing moves, the wait for the server's answer included. Whole
    /// seconds, at least one.
    public var stall: Duration
    /// For everything, with a second more for each 8 KiB that is sent: 64 kbit/s, a poor mobile link.
    public var total: Duration

    /// 10 s is several retransmissions of a lost packet; 30 s is what a small server needs to write a picture
    /// to a slow disk; the whole is both and as much again.
    public init(
        connect: Duration = .seconds(10), stall: Duration = .seconds(30), total: Duration = .seconds(80)
    ) {
        self.connect = connect
        self.stall = stall
        self.total = total
    }
}
