import DeviceRuntime
import Glibc

/// A certificate authority that nobody knows, and what it has signed: a server on 127.0.0.1, and a client.
public final class TestAuthority: Sendable {
    private let directory: TemporaryDirectory

    public init() throws {
        directory = try TemporaryDirectory()
        try openssl("req", "-x509", "-subj", "/CN=perch test authority", "-keyout", authorityKey, "-out", certificate)
        try sign("server", extensions: "subjectAltName=IP:127.0.0.1")
        try sign("client", extensions: "extendedKeyUsage=clientAuth")
    }

    /// Of the authority.
    public var certificate: String { "\(directory.path)/authority.pem" }
    private var authorityKey: String { "\(directory.path)/authority.key" }
    public var serverCertificate: String { "\(directory.path)/server.pem" }
    public var serverKey: String { "\(directory.path)/server.key" }
    public var clientCertificate: String { "\(directory.path)/client.pem" }
    public var clientKey: String { "\(directory.path)/client.key" }

    private func sign(_ name: String, extensions: String) throws {
        try openssl(
            "req", "-x509", "-CA", certificate, "-CAkey", authorityKey, "-subj", "/CN=perch test \(name)", "-addext",
            extensions, "-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "\(directory.path)/\(name).key",
            "-out", "\(directory.path)/\(name).pem")
    }

    private func openssl(_ arguments: String...) throws {
        let (lines, code) = try RunningProcess.run(
            ["/usr/bin/openssl"] + arguments + [
                "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            ])
        guard code == 0 else { throw SystemError(code: EIO, call: "openssl \(arguments[0]): \(lines)") }
    }
}
