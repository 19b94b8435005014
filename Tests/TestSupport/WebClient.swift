import CLinux
import DeviceRuntime
import Glibc

/// A connection to a server on the loopback interface that sends what it is told, however wrong.
public final class WebClient: Sendable {
    private let descriptor: FileDescriptor
    private let port: UInt16
    private let received = Protected<[UInt8]>([])

    /// How long an answer may take before the test fails instead of hanging.
    private static let patience: Int32 = 60_000

    /// Connects to the port of `http://127.0.0.1:8420/`.
    public init(_ url: String) throws {
        let text = url.split(separator: ":").last?.prefix { $0.isNumber }
        guard let port = text.flatMap({ UInt16($0) }) else { throw SystemError(code: EINVAL, call: "read \(url)") }
        self.port = port
        let number = try systemCall("socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        descriptor = FileDescriptor(taking: number)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = try systemCall("connect") {
                    connect(number, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    /// Sends these bytes; the other end may have closed by then.
    public func send(_ text: String) { try? descriptor.send(text) }

    /// A request with the header that names the host, and `headers`.
    public func ask(_ method: String, _ path: String, _ headers: [String] = [], body: String = "") {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers + length
        send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Reads on until `text` has come, and returns all that came; `nil` if the other end closes before.
    public func receive(until text: String) throws -> String? {
        while true {
            let all = received.withLock { String(decoding: $0, as: UTF8.self) }
            if all.contains(text) { return all }
            guard try receive() else { return nil }
        }
    }

    /// Reads until the other end closes, and returns all that came.
    public func receiveAll() throws -> String {
        while try receive() {}
        return received.withLock { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether there was more.
    private func receive() throws -> Bool {
        let number = try descriptor.open()
        var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard try systemCall("poll", { poll(&wait, 1, Self.patience) }) > 0 else {
            throw SystemError(code: ETIMEDOUT, call: "waiting for an answer")
        }
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(number, &chunk, chunk.count, 0)
        // A connection that is reset has ended, too.
        guard count > 0 else { return false }
        received.withLock { $0 += chunk[..<count] }
        return true
    }

    /// The whole answer to one request, after which the server closes.
    public static func answer(
        from url: String, _ method: String, _ path: String, _ headers: [String] = [], body: String = ""
    ) throws -> String {
        let client = try WebClient(url)
        client.ask(method, path, ["Connection: close"] + headers, body: body)
        return try client.receiveAll()
    }
}
