internal import CLinux
internal import Glibc

/// An open file descriptor that is closed exactly once: by ``close()`` or when the last user lets go of it.
public final class FileDescriptor: Sendable {
    private let state: Protected<Int32?>

    /// Takes over an open descriptor.
    public init(taking descriptor: Int32) { state = Protected(descriptor) }

    /// Opens a file, close-on-exec. `flags` and `mode` are those of open(2).
    public convenience init(opening path: String, flags: Int32, mode: UInt32 = 0o600) throws {
        self.init(taking: try systemCall("open \(path)") { perch_open(path, flags, mode) })
    }

    deinit { close() }

    /// The number, or `nil` once closed.
    public var number: Int32? { state.withLock { $0 } }

    /// The number; throws `EBADF` once closed.
    public func open() throws -> Int32 {
        guard let number else { throw SystemError(code: EBADF, call: "use of a closed descriptor") }
        return number
    }

    public func close() {
        let number = state.withLock { number in
            defer { number = nil }
            return number
        }
        // Not retried on EINTR: Linux has released the number by then.
        if let number { _ = Glibc.close(number) }
    }
}
