/// How to get to a server.
public struct ConnectionSettings: Sendable {
    /// A file of certificates (PEM) to trust instead of the system's.
    public var authorities: String?
    /// A file with the certificate (PEM) by which the server knows the board.
    public var clientCertificate: String?
    /// A file with that certificate's key (PEM); `nil` when it is in the same file.
    public var clientKey: String?
    /// `http://proxy.local:3128`, also https, socks5 and socks5h; empty for none. `nil` is what the environment says
    /// (`https_proxy`, `no_proxy`).
    public var proxy: String?
    /// What the proxy knows the board by: a login.
    public var proxyCredentials: HTTPCredentials?
    public var deadlines: TransferDeadlines
    public var compression: CompressionPolicy

    public init(
        authorities: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil, proxy: String? = nil,
        proxyCredentials: HTTPCredentials? = nil, deadlines: TransferDeadlines = TransferDeadlines(),
        compression: CompressionPolicy = .none
    ) {
        self.authorities = authorities
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.proxy = proxy
        self.proxyCredentials = proxyCredentials
        self.deadlines = deadlines
        self.compression = compression
    }
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
