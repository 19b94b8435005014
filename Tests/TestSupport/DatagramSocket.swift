import DeviceRuntime
import Glibc

/// A Unix socket that receives datagrams, as systemd's notification socket does.
public final class DatagramSocket: Sendable {
    private let descriptor: FileDescriptor

    /// How long a message may take before the test fails instead of hanging.
    private static let patience: Int32 = 60_000

    public init(_ path: String) throws {
        let number = try systemCall("socket") {
            socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        descriptor = FileDescriptor(taking: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = try systemCall("bind") { bind(number, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
    }

    /// Receives messages until one contains `text`. Throws `ETIMEDOUT` after a minute of silence.
    public func receive(containing text: String) throws {
        while true {
            let number = try descriptor.open()
            var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            guard try systemCall("poll", { poll(&wait, 1, Self.patience) }) > 0 else {
                throw SystemError(code: ETIMEDOUT, call: "waiting for a message with '\(text)'")
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = try systemCall("recv") { recv(number, &bytes, bytes.count, 0) }
            if String(decoding: bytes[..<count], as: UTF8.self).contains(text) { return }
        }
    }
}
