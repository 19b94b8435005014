internal import CLinux
internal import Glibc

/// A TCP socket that listens at this machine's own address, `127.0.0.1`, which no other machine reaches (ip(7)).
public struct LoopbackSocket: Sendable {
    public let descriptor: FileDescriptor
    public let port: UInt16

    /// On `port`, or on a free one for 0. Throws ``SystemError``: `EADDRINUSE` while another program listens there.
    public init(port: UInt16) throws {
        let number = try systemCall("socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        descriptor = FileDescriptor(taking: number)
        // A daemon that is started again does not have to wait for the connections of the one before.
        var one: Int32 = 1
        try systemCall("setsockopt") {
            setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = try systemCall("bind 127.0.0.1:\(port)") { bind(number, generic, length) }
                try systemCall("listen") { listen(number, 16) }
                try systemCall("getsockname") { getsockname(number, generic, &length) }
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }
}
