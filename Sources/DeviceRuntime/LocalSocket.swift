internal import CLinux
internal import Glibc

/// A socket in the file system that programs of this machine can connect to (unix(7)).
public final class LocalListener: Sendable {
    /// Those who have connected, in order.
    public let connections: AsyncStream<LocalConnection>
    private let path: String
    private let descriptor: FileDescriptor
    private let watch: DescriptorWatch
    private let accepted: AsyncStream<LocalConnection>.Continuation

    /// Listens at `path`, in whose place a socket may lie that nobody listens at any more. `mode` is the file's. On the
    /// loop.
    ///
    /// Throws ``SystemError``: `EADDRINUSE` while another program listens there.
    public init(path: String, mode: UInt32, loop: EventLoop) throws {
        self.path = path
        if Self.isListening(path) { throw SystemError(code: EADDRINUSE, call: "bind \(path)") }
        try Files.remove(path)
        let descriptor = try makeLocalSocket(flags: Int32(SOCK_NONBLOCK.rawValue))
        let number = try descriptor.open()
        // The file is never there with other rights, not for a moment.
        let mask = umask(0o777 & ~mode)
        defer { umask(mask) }
        try withLocalAddress(path) { address, length in
            _ = try systemCall("bind \(path)") { bind(number, address, length) }
        }
        try systemCall("listen \(path)") { listen(number, 16) }
        self.descriptor = descriptor
        let (connections, accepted) = AsyncStream<LocalConnection>.makeStream()
        (self.connections, self.accepted) = (connections, accepted)
        watch = try loop.watch(number) { _ in
            while case let connection = perch_accept(number), connection >= 0 {
                accepted.yield(LocalConnection(FileDescriptor(taking: connection), loop: loop))
            }
        }
    }

    /// Whether a program listens, which may have too much to do to answer now.
    private static func isListening(_ path: String) -> Bool {
        do {
            _ = try connectLocally(to: path, flags: Int32(SOCK_NONBLOCK.rawValue))
            return true
        } catch {
            return (error as? SystemError)?.code == EAGAIN
        }
    }

    /// Removes the socket. On the loop.
    public func close() {
        watch.cancel()
        descriptor.close()
        accepted.finish()
        try? Files.remove(path)
    }
}

/// A connection of a ``LocalListener``. Used by one task, on the loop.
public final class LocalConnection: Sendable {
    private let descriptor: FileDescriptor
    private let loop: EventLoop

    init(_ descriptor: FileDescriptor, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// What the other side sends until it says that it sends no more. Throws ``SystemError``: `EMSGSIZE` if that
    /// is more than `limit` bytes; and `CancellationError`.
    public func readToEnd(limit: Int) async throws -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let number = try descriptor.open()
            do {
                let count = try systemCall("read") { read(number, &chunk, chunk.count) }
                if count == 0 { return content }
                content += chunk[..<count]
                guard content.count <= limit else { throw SystemError(code: EMSGSIZE, call: "read") }
            } catch let error as SystemError where error.code == EAGAIN {
                try await loop.wait(for: number)
            }
        }
    }

    /// Sends all of it, as fast as the other side reads. Throws ``SystemError``, `EPIPE` when the other side has
    /// gone, and `CancellationError`.
    public func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let number = try descriptor.open()
            do {
                let count = try rest.withUnsafeBytes { buffer in
                    try systemCall("send") {
                        Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                    }
                }
                rest = rest.dropFirst(count)
            } catch let error as SystemError where error.code == EAGAIN {
                try await loop.wait(for: number, .writable)
            }
        }
    }

    /// Returns when the other side has gone. Throws `CancellationError`.
    public func waitForHangUp() async throws { try await loop.wait(for: try descriptor.open(), []) }

    public func close() { descriptor.close() }
}

/// The other side of a ``LocalListener``: asks, and reads the answer. Blocks.
public struct LocalClient: Sendable {
    private let descriptor: FileDescriptor

    /// Throws ``SystemError``: `ENOENT` or `ECONNREFUSED` when nobody listens at `path`, `EACCES` without the right to.
    public init(connectingTo path: String) throws { descriptor = try connectLocally(to: path) }

    /// Sends `request` and says that no more comes.
    public func send(_ request: [UInt8]) throws {
        let number = try descriptor.open()
        var rest = request[...]
        while !rest.isEmpty {
            let count = try rest.withUnsafeBytes { buffer in
                try systemCall("send") {
                    Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                }
            }
            rest = rest.dropFirst(count)
        }
        try systemCall("shutdown") { shutdown(number, Int32(SHUT_WR)) }
    }

    /// Calls `body` with each line of the answer, without its end, until the other side has no more.
    public func forEachLine(_ body: (String) throws -> Void) throws {
        let number = try descriptor.open()
        var chunk = [UInt8](repeating: 0, count: 4096)
        var line: [UInt8] = []
        while true {
            let count = try systemCall("read") { read(number, &chunk, chunk.count) }
            if count == 0 { return }
            for byte in chunk[..<count] {
                if byte != UInt8(ascii: "\n") {
                    line.append(byte)
                    continue
                }
                try body(String(decoding: line, as: UTF8.self))
                line = []
            }
        }
    }
}

private func makeLocalSocket(flags: Int32) throws -> FileDescriptor {
    FileDescriptor(
        taking: try systemCall("socket") {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0)
        })
}

private func connectLocally(to path: String, flags: Int32 = 0) throws -> FileDescriptor {
    let descriptor = try makeLocalSocket(flags: flags)
    let number = try descriptor.open()
    try withLocalAddress(path) { address, length in
        _ = try systemCall("connect \(path)") { connect(number, address, length) }
    }
    return descriptor
}

private func withLocalAddress<Value>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Value
) throws -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The rest of the array stays zero, and ends the name.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
        throw SystemError(code: ENAMETOOLONG, call: "bind \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return try withUnsafePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
