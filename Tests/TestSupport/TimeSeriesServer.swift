import DeviceRuntime
import Glibc

/// A real time series database on a free port of the loopback interface, with files of its own.
public final class TimeSeriesServer: Sendable {
    public let directory: TemporaryDirectory
    public let port: UInt16
    private let process: RunningProcess

    private init(_ start: (_ directory: String, _ port: UInt16) throws -> RunningProcess, until line: String) throws {
        directory = try TemporaryDirectory()
        // They cannot inherit a socket, so each gets a port that was free a moment ago.
        let socket = try ListeningSocket()
        port = socket.port
        socket.descriptor.close()
        process = try start(directory.path, port)
        try process.line(containing: line)
        try Self.waitUntilListening(port)
    }

    /// What they say comes a moment before they listen.
    private static func waitUntilListening(_ port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        for _ in 0..<1000 {
            let client = FileDescriptor(
                taking: try systemCall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) })
            let number = try client.open()
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { return }
            poll(nil, 0, 10)
        }
        throw SystemError(code: ETIMEDOUT, call: "waiting for a server at port \(port)")
    }

    deinit { process.end(SIGKILL) }

    public var url: String { "http://127.0.0.1:\(port)" }

    /// InfluxDB 1, empty. With a password there is one user, `porch`, who may do everything.
    public static func influx(password: String? = nil) throws -> TimeSeriesServer {
        let server = try TimeSeriesServer(
            { directory, port in
                let settings = """
                    reporting-disabled = true
                    bind-address = "127.0.0.1:0"
                    [meta]
                    dir = "\(directory)/meta"
                    [data]
                    dir = "\(directory)/data"
                    wal-dir = "\(directory)/wal"
                    [monitor]
                    store-enabled = false
                    [http]
                    bind-address = "127.0.0.1:\(port)"
                    auth-enabled = \(password != nil)
                    """
                try write(Array(settings.utf8), to: "\(directory)/influxdb.conf")
                return try RunningProcess(["/usr/bin/influxd", "-config", "\(directory)/influxdb.conf"])
            }, until: "Listening on HTTP")
        if let password {
            _ = try server.ask("CREATE USER porch WITH PASSWORD '\(password)' WITH ALL PRIVILEGES")
        }
        return server
    }

    /// VictoriaMetrics, empty, which keeps everything.
    public static func victoriaMetrics() throws -> TimeSeriesServer {
        try TimeSeriesServer(
            { directory, port in
                try RunningProcess([
                    "/usr/bin/victoria-metrics", "-httpListenAddr=127.0.0.1:\(port)",
                    "-storageDataPath=\(directory)/data", "-retentionPeriod=100y",
                ])
            }, until: "started VictoriaMetrics")
    }

    /// Asks InfluxDB in its own language, for the answer in JSON.
    public func ask(_ query: String, login: String = "") throws -> String {
        try Self.request("POST", "\(url)/query?db=porch&epoch=ns&q=" + Self.encoded(query), login: login)
    }

    /// What VictoriaMetrics has of all series, a line of JSON for each.
    public func export() throws -> String {
        _ = try Self.request("GET", "\(url)/internal/force_flush")
        return try Self.request("GET", "\(url)/api/v1/export?match[]=" + Self.encoded("{__name__=~\".+\"}"))
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
    }

    /// By another program than the one under test.
    private static func request(_ method: String, _ url: String, login: String = "") throws -> String {
        let program = """
            import base64, sys, urllib.request
            method, url, login = sys.argv[1:]
            headers = {"Authorization": "Basic " + base64.b64encode(login.encode()).decode()} if login else {}
            data = b"" if method == "POST" else None
            print(urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)).read().decode())
            """
        let (lines, code) = try RunningProcess.run(["/usr/bin/python3", "-c", program, method, url, login])
        guard code == 0 else { throw SystemError(code: EIO, call: "\(method) \(url): \(lines)") }
        return lines.joined(separator: "\n")
    }
}
