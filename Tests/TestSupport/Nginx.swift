import DeviceRuntime
import Glibc

/// A real nginx on a free port of the loopback interface, with files and settings of its own.
///
/// It inherits a socket that listens already, so there is nothing to wait for: whoever connects before it is up
/// waits in the socket's queue.
public final class Nginx: Sendable {
    public let directory: TemporaryDirectory
    public let port: UInt16
    private let process = Protected<RunningProcess?>(nil)

    /// `isSecure` serves TLS with a certificate for 127.0.0.1 that nobody has signed.
    public init(isSecure: Bool = false) throws {
        directory = try TemporaryDirectory()
        let socket = try ListeningSocket()
        port = socket.port
        try Files.makeDirectory("\(directory.path)/root/dav")
        if isSecure { try makeCertificate() }
        try write(Array(configuration(isSecure: isSecure).utf8), to: "\(directory.path)/nginx.conf")
        try start(on: socket)
    }

    deinit { stop() }

    public var url: String { "http://127.0.0.1:\(port)/" }
    public var secureURL: String { "https://127.0.0.1:\(port)/" }
    public var certificate: String { "\(directory.path)/certificate.pem" }

    /// Starts it again on the same port.
    public func start() throws {
        stop()
        try start(on: ListeningSocket(port: port))
    }

    private func start(on socket: ListeningSocket) throws {
        let nginx = try RunningProcess(
            ["/usr/sbin/nginx", "-p", directory.path, "-c", "\(directory.path)/nginx.conf", "-e", "error.log"],
            environment: ["NGINX=3;"], inheriting: socket.descriptor.open())
        process.withLock { $0 = nginx }
        // From now on only nginx listens.
        socket.descriptor.close()
    }

    /// Ends it; connections are refused from then on.
    public func stop() {
        let nginx = process.withLock { process in
            defer { process = nil }
            return process
        }
        nginx?.end(SIGTERM)
    }

    /// What was stored, by name.
    public func stored(_ name: String) throws -> [UInt8] { try Files.read("\(directory.path)/root/\(name)") }

    /// What was asked: `PUT /porch/1.json 201 c1`, `c1` being the connection. Complete once it is stopped.
    public func requests() throws -> [String] {
        String(decoding: try Files.read("\(directory.path)/access.log"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private func makeCertificate() throws {
        let (lines, code) = try RunningProcess.run([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=perch test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
            "\(directory.path)/key.pem", "-out", certificate,
        ])
        guard code == 0 else { throw SystemError(code: EIO, call: "openssl req: \(lines)") }
    }

    private func configuration(isSecure: Bool) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory.path)/\($0);" }.joined(separator: " ")
        let tls = "ssl_certificate certificate.pem; ssl_certificate_key key.pem;"
        return """
            load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid nginx.pid;
            events {}
            http {
                \(temporary)
                log_format test '$request_method $uri $status c$connection';
                access_log \(directory.path)/access.log test;
                server {
                    listen 127.0.0.1:\(port)\(isSecure ? " ssl" : "");
                    \(isSecure ? tls : "")
                    root \(directory.path)/root;
                    client_max_body_size 1m;
                    location / {
                        dav_methods PUT DELETE MKCOL COPY MOVE;
                        create_full_put_path on;
                    }
                    # As a person would set it up for a camera: folders are made one by one, and a login is wanted.
                    location /dav/ {
                        if ($http_authorization != "Basic cG9yY2g6czNjcmV0") { return 401; }
                        client_max_body_size 64m;
                        dav_methods PUT DELETE MKCOL COPY MOVE;
                        dav_ext_methods PROPFIND OPTIONS;
                    }
                    location /forbidden/ { deny all; }
                    location /static/ { }
                    location /missing/ { return 404; }
                    location /redirect/ { return 302 http://portal.example/login; }
                    location /portal/ { default_type text/html; return 200 "<html>Please log in</html>"; }
                    location /busy/ { add_header Retry-After 7 always; return 429; }
                    location /token/ {
                        if ($http_authorization != "Bearer t0ken") { return 401; }
                        dav_methods PUT;
                        create_full_put_path on;
                    }
                    location /login/ {
                        # porch:s3cret
                        client_max_body_size 64m;
                        if ($http_authorization != "Basic cG9yY2g6czNjcmV0") { return 401; }
                        dav_methods PUT;
                        create_full_put_path on;
                    }
                }
            }
            """
    }
}
