import DeviceRuntime
import Glibc

/// The strict storage server of Tests/Servers/fake-storage, on a free port of the loopback interface.
///
/// It inherits a socket that listens already, so there is nothing to wait for.
public final class FakeStorage: Sendable {
    public let directory: TemporaryDirectory
    public let port: UInt16
    private let isSecure: Bool
    private let process: RunningProcess

    /// `settings` is the JSON that fakestorage/faults.py describes. With `authority` it serves TLS, and with
    /// `wantsClients` only to those that have a certificate of that authority. With `upstream`, the port of a real
    /// server, it hands requests on to that.
    public init(
        _ settings: String = "{}", authority: TestAuthority? = nil, wantsClients: Bool = false, upstream: UInt16? = nil
    ) throws {
        directory = try TemporaryDirectory()
        let socket = try ListeningSocket()
        port = socket.port
        isSecure = authority != nil
        var command = ["/usr/bin/python3", ScriptServer.folder + "/fake-storage", directory.path]
        if let authority {
            command += ["--tls", authority.serverCertificate, authority.serverKey]
            if wantsClients { command += ["--clients", authority.certificate] }
        }
        if let upstream { command += ["--forward", "\(upstream)"] }
        try directory.write(settings, to: "settings.json")
        process = try RunningProcess(command, environment: ["PATH=/usr/bin:/bin"], inheriting: socket.descriptor.open())
        // From now on only the server listens.
        socket.descriptor.close()
    }

    deinit { stop() }

    /// `http://127.0.0.1:1234`
    public var url: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)" }

    public func stop() { process.end(SIGKILL) }

    /// Changes how it behaves, from the next request on.
    public func set(_ settings: String) throws {
        try directory.write(settings, to: "settings.json.new")
        try Files.rename("\(directory.path)/settings.json.new", to: "\(directory.path)/settings.json")
    }

    /// What was stored, by service and name: `s3/porch/1.json`. `nil` when it was not.
    public func stored(_ name: String) throws -> [UInt8]? {
        let path = "\(directory.path)/objects/\(name)"
        return try Files.size(of: path) == nil ? nil : try Files.read(path)
    }

    /// What was asked: `PUT /s3/porch/1.json 200`, with `-` for what was not answered.
    public func requests() throws -> [String] {
        guard try Files.size(of: "\(directory.path)/requests.log") != nil else { return [] }
        return String(decoding: try Files.read("\(directory.path)/requests.log"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// How many requests it keeps waiting, or has.
    public func silenced() throws -> Int {
        try Files.size(of: "\(directory.path)/silenced") ?? 0
    }

    /// What was said of an object when it was stored, as JSON.
    public func metadata(_ name: String) throws -> String {
        String(decoding: try Files.read("\(directory.path)/metadata/\(name)"), as: UTF8.self)
    }
}
