import CaptureStore
import DeviceRuntime
import Glibc
import StorageBackends
import TestSupport
import Testing

/// A real proxy (tinyproxy) that wants a login.
private final class Tinyproxy: Sendable {
    let directory: TemporaryDirectory
    let port: UInt16
    private let process: RunningProcess

    init() throws {
        directory = try TemporaryDirectory()
        // tinyproxy takes no socket: between this and its start another program might take the port.
        let socket = try ListeningSocket()
        port = socket.port
        socket.descriptor.close()
        try directory.write(
            """
            Port \(port)
            Listen 127.0.0.1
            Timeout 60
            LogFile "\(directory.path)/log"
            LogLevel Info
            BasicAuth porch s3cret

            """, to: "tinyproxy.conf")
        process = try RunningProcess(["/usr/bin/tinyproxy", "-d", "-c", "\(directory.path)/tinyproxy.conf"])
        // It says in its log file that it listens. A minute is for a busy machine.
        for _ in 0..<6000 {
            if try log.contains("Accepting connections") { return }
            usleep(10_000)
        }
        throw SystemError(code: ETIMEDOUT, call: "tinyproxy: \(try log)")
    }

    deinit { process.end(SIGKILL) }

    var url: String { "http://127.0.0.1:\(port)" }

    var log: String {
        get throws {
            let path = "\(directory.path)/log"
            return try Files.size(of: path) == nil ? "" : String(decoding: try Files.read(path), as: UTF8.self)
        }
    }
}

@Suite("Proxies", .boundedHang)
struct ProxyTests {
    @Test("A configured proxy is used, with its login, for plain and for encrypted connections")
    func proxy() async throws {
        let proxy = try Tinyproxy()
        for authority in [nil, try Site.authority.get()] {
            try await EventLoop.run(time: .real) { loop in
                let bench = try StorageBench(Site.s3Fake, loop: loop, authority: authority)
                var connection = StorageBench.patient
                connection.authorities = authority?.certificate
                connection.proxy = proxy.url
                connection.proxyCredentials = .basic(user: "porch", password: "s3cret")
                try await bench.backend(connection).store(bench.document("1.json"))
                #expect(try bench.content(bench.document("1.json")) != nil)
                let log = try proxy.log
                #expect(log.contains("127.0.0.1:\(bench.fake.port)"), "\(log)")
            }
        }
    }

    @Test("A proxy that refuses the login, or is not there, keeps the record")
    func refused() async throws {
        let proxy = try Tinyproxy()
        try await EventLoop.run(time: .real) { loop in
            let bench = try StorageBench(Site.s3Fake, loop: loop, authority: try Site.authority.get())
            var connection = StorageBench.patient
            connection.proxy = proxy.url
            let refused = try #require(try await failure(try bench.backend(connection), bench.document("1.json")))
            #expect(refused.kind != .permanent && refused.advice == "check the proxy's login", "\(refused)")
            connection.proxy = "http://127.0.0.1:1"
            let away = try #require(try await failure(try bench.backend(connection), bench.document("1.json")))
            #expect(away.kind == .temporary(retryAfter: nil))
        }
    }
}
