import CLinux
public import DeviceRuntime
import Glibc

/// A TCP socket that listens on the loopback interface.
public final class ListeningSocket: Sendable {
    public let descriptor: FileDescriptor
    public let port: UInt16

    /// On the given port, or a free one.
    public init(port: UInt16 = 0) throws {
        let number = try systemCall("socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        descriptor = FileDescriptor(taking: number)
        var one: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                try systemCall("bind") { bind(number, generic, length) }
                try systemCall("listen") { listen(number, 64) }
                try systemCall("getsockname") { getsockname(number, generic, &length) }
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    public var url: String { "http://127.0.0.1:\(port)/" }

    /// Waits for a request's beginning, and returns its connection.
    public func accept(on loop: EventLoop) async throws -> FileDescriptor {
        let number = try descriptor.open()
        try await loop.wait(for: number)
        let connection = FileDescriptor(taking: try systemCall("accept") { Glibc.accept(number, nil, nil) })
        try await loop.wait(for: connection.open())
        return connection
    }
}

extension FileDescriptor {
    /// Reads what is there.
    @discardableResult
    public func receive() throws -> String {
        let number = try open()
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = try systemCall("recv") { recv(number, &bytes, bytes.count, 0) }
        guard count > 0 else { throw SystemError(code: ECONNRESET, call: "recv: the other end has closed") }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Reads until `end` has come.
    public func receive(until end: String, on loop: EventLoop) async throws {
        var text = try receive()
        while !text.contains(end) {
            try await loop.wait(for: open())
            text += try receive()
        }
    }

    public func send(_ text: String) throws {
        let number = try open()
        try systemCall("send") { Glibc.send(number, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }
    }
}
