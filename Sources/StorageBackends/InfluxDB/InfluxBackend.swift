public import CaptureStore
public import DeviceRuntime

/// Writes records as points into a time series database that takes InfluxDB's line protocol: InfluxDB 1, 2 and 3,
/// VictoriaMetrics, QuestDB, Telegraf. Files stay out: a database of numbers has no place for them.
public final class InfluxBackend: StorageBackend {
    /// Where on the server, and by which of its ways to write.
    public enum Target: Sendable, Hashable {
        /// `/write`: InfluxDB 1, and what is compatible with it.
        case database(String, retentionPolicy: String?)
        /// `/api/v2/write`: InfluxDB 2.
        case bucket(String, organization: String)
        /// `/api/v3/write_lp`: InfluxDB 3.
        case table(database: String)
    }

    public let name: String
    public let destination: String
    /// About 75 KB, a tenth of that when compressed.
    public let batchLimit = 500
    private let address: String
    private let headers: [String]
    private let credentials: HTTPCredentials?
    private let lines: LineProtocol
    private let target: Target
    private let transport: HTTPTransport

    /// `url` is the server's address: `http://influx.local:8086`. With a bucket a bearer token goes by the name that
    /// InfluxDB 2 has for it.
    ///
    /// Throws ``StorageError`` when `url` is not such an address, and `SystemError` when the system is out of
    /// resources.
    public init(
        name: String, url: String, target: Target, credentials: HTTPCredentials? = nil, measurement: NamePattern,
        connection: ConnectionSettings = ConnectionSettings(compression: .gzip), loop: EventLoop
    ) throws {
        self.name = name
        destination = try ServerURL.checked(url)
        self.target = target
        address = destination + target.path
        var headers = ["Content-Type: text/plain; charset=utf-8"]
        if case .bucket = target, case .bearer(let token) = credentials?.kind {
            headers.append("Authorization: Token \(token)")
            self.credentials = nil
        } else {
            self.credentials = credentials
        }
        self.headers = headers
        lines = LineProtocol(measurement: measurement)
        transport = try HTTPTransport(named: name, connection, loop: loop)
    }

    public func store(_ records: [StoredRecord]) async throws {
        let body = records.map(lines.line).joined()
        var request = HTTPRequest(
            .post, address, body: HTTPBody(body), headers: headers, credentials: credentials)
        request.isCompressible = true
        let response = try await transport.send(request)
        if let error = error(response) { throw error }
    }

    /// What the answer means. A batch of which the server has stored a part (400, "partial write") is rejected as a
    /// whole: the good lines come again with the search for the bad one, and overwrite themselves.
    private func error(_ response: HTTPResponse) -> StorageError? {
        let explanation = response.headers["x-influxdb-error"]
        if response.status == 404 && !response.isWebPage {
            // Nothing is wrong with the record: it waits until somebody has made the place for it.
            return StorageError(
                HTTPVerdict.misconfigured,
                "\(destination) answers 404: there is no \(target.description)\(explanation.map { " (\($0))" } ?? "")",
                advice: "create it there, or correct its name; check also that url is the server's address alone")
        }
        return HTTPVerdict.error(
            response, destination: destination, success: [200, 204], explanation: explanation)
    }
}

extension InfluxBackend.Target: CustomStringConvertible {
    /// `database 'porch'`
    public var description: String {
        switch self {
        case .database(let name, let policy):
            "database '\(name)'\(policy.map { " with retention policy '\($0)'" } ?? "")"
        case .bucket(let name, let organization): "bucket '\(name)' of organization '\(organization)'"
        case .table(let database): "database '\(database)'"
        }
    }

    fileprivate var path: String {
        let word = ServerURL.encodedWord
        return switch self {
        case .database(let name, let policy):
            "write?db=\(word(name))\(policy.map { "&rp=\(word($0))" } ?? "")&precision=ns"
        case .bucket(let name, let organization):
            "api/v2/write?org=\(word(organization))&bucket=\(word(name))&precision=ns"
        case .table(let database): "api/v3/write_lp?db=\(word(database))&precision=nanosecond"
        }
    }
}
