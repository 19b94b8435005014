import CLinux
import DeviceRuntime
import Glibc
import StorageTestSupport

/// A real nginx on a free port of the loopback interface, with files and settings of its own.
///
/// It inherits a socket that listens already, so there is nothing to wait for: whoever connects before it is up
/// waits in the socket's queue.
final class Nginx: Sendable {
    let directory: TemporaryDirectory
    let port: UInt16
    private let process = Protected<pid_t?>(nil)

    /// `isSecure` serves TLS with a certificate for 127.0.0.1 that nobody has signed.
    init(isSecure: Bool = false) throws {
        directory = try TemporaryDirectory()
        let socket = try ListeningSocket()
        port = socket.port
        try Files.makeDirectory("\(directory.path)/root")
        if isSecure { try makeCertificate() }
        try write(Array(configuration(isSecure: isSecure).utf8), to: "\(directory.path)/nginx.conf")
        try start(on: socket)
    }

    deinit { stop() }

    var url: String { "http://127.0.0.1:\(port)/" }
    var secureURL: String { "https://127.0.0.1:\(port)/" }
    var certificate: String { "\(directory.path)/certificate.pem" }

    /// Starts it again on the same port.
    func start() throws {
        stop()
        try start(on: ListeningSocket(port: port))
    }

    private func start(on socket: ListeningSocket) throws {
        let pid = try spawn(
            ["/usr/sbin/nginx", "-p", directory.path, "-c", "\(directory.path)/nginx.conf", "-e", "error.log"],
            environment: ["NGINX=3;"], inheriting: socket.descriptor.open())
        process.withLock { $0 = pid }
        // From now on only nginx listens.
        socket.descriptor.close()
    }

    /// Ends it; connections are refused from then on.
    func stop() {
        guard let pid = process.withLock({ $0.take() }) else { return }
        kill(pid, SIGTERM)
        waitpid(pid, nil, 0)
    }

    /// What was stored, by name.
    func stored(_ name: String) throws -> [UInt8] { try Files.read("\(directory.path)/root/\(name)") }

    /// What was asked: `PUT /porch/1.json 201 c1`, `c1` being the connection. Complete once it is stopped.
    func requests() throws -> [String] {
        String(decoding: try Files.read("\(directory.path)/access.log"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private func makeCertificate() throws {
        let pid = try spawn([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=perch test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
            "\(directory.path)/key.pem", "-out", certificate,
        ])
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        guard status == 0 else { throw SystemError(code: EIO, call: "openssl req") }
    }

    private func configuration(isSecure: Bool) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory.path)/\($0);" }.joined(separator: " ")
        let tls = "ssl_certificate certificate.pem; ssl_certificate_key key.pem;"
        return """
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
                        if ($http_authorization != "Basic cG9yY2g6czNjcmV0") { return 401; }
                        dav_methods PUT;
                        create_full_put_path on;
                    }
                }
            }
            """
    }
}

extension Optional {
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
