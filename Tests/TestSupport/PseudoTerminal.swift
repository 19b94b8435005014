import CLinux
public import DeviceRuntime
import Glibc

/// The far end of a serial port: the kernel's pair of terminals, of which the other one is opened as a port.
public final class PseudoTerminal: Sendable {
    /// What stands for the port: `/dev/pts/3`.
    public let path: String
    private let descriptor: FileDescriptor
    /// Keeps the pair as it is while no port is open: a terminal whose last user has gone hangs up.
    private let keeper: FileDescriptor

    public init() throws {
        descriptor = try FileDescriptor(opening: "/dev/ptmx", flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
        let number = try descriptor.open()
        try systemCall("unlockpt") { unlockpt(number) }
        var characters = [CChar](repeating: 0, count: 64)
        guard ptsname_r(number, &characters, characters.count) == 0 else {
            throw SystemError(code: ENOTTY, call: "ptsname")
        }
        path = String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        keeper = try FileDescriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
    }

    /// Sends to the port.
    public func send(_ bytes: [UInt8], on loop: EventLoop) async throws {
        let number = try descriptor.open()
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                let count = try rest.withUnsafeBytes { bytes in
                    try systemCall("write") { write(number, bytes.baseAddress, bytes.count) }
                }
                rest = rest.dropFirst(count)
            } catch let error as SystemError where error.code == EAGAIN {
                try await loop.wait(for: number, .writable)
            }
        }
    }

    /// Waits until so many bytes have come from the port.
    public func receive(_ count: Int, on loop: EventLoop) async throws -> [UInt8] {
        let number = try descriptor.open()
        var received: [UInt8] = []
        while received.count < count {
            var bytes = [UInt8](repeating: 0, count: min(4096, count - received.count))
            do {
                let count = try systemCall("read") { read(number, &bytes, bytes.count) }
                received += bytes[..<count]
            } catch let error as SystemError where error.code == EAGAIN {
                try await loop.wait(for: number)
            }
        }
        return received
    }

    /// Hangs up: the port is gone for who has it open.
    public func unplug() { descriptor.close() }
}
