internal import CLinux
internal import Glibc

/// An open file descriptor that is closed exactly once: by ``close()`` or when the last user lets go of it.
public final class FileDescriptor: Sendable {
    private struct State {
        var number: Int32
        /// Calls of ``use(_:)`` that are under way.
        var users = 0
        var isClosed = false
        var isLocked = false
    }

    private let state: Protected<State>

    /// Takes over an open descriptor.
    public init(taking descriptor: Int32) { state = Protected(State(number: descriptor)) }

    /// Opens a file, close-on-exec. `flags` and `mode` are those of open(2).
    public convenience init(opening path: String, flags: Int32, mode: UInt32 = 0o600) throws {
        self.init(taking: try systemCall("open \(path)") { perch_open(path, flags, mode) })
    }

    deinit { close() }

    /// The number, or `nil` once closed.
    public var number: Int32? { state.withLock { $0.isClosed ? nil : $0.number } }

    /// The number; throws `EBADF` once closed.
    public func open() throws -> Int32 {
        guard let number else { throw Self.closed }
        return number
    }

    /// Calls `body` with the number, for a thread other than the one that closes: a ``close()`` meanwhile takes
    /// effect when `body` returns, so the number cannot come to mean another file. Throws `EBADF` once closed.
    public func use<Value>(_ body: (Int32) throws -> Value) throws -> Value {
        let number: Int32? = state.withLock { state in
            if state.isClosed { return nil }
            state.users += 1
            return state.number
        }
        guard let number else { throw Self.closed }
        defer {
            let isLast = state.withLock { state in
                state.users -= 1
                return state.isClosed && state.users == 0
            }
            if isLast { release(number) }
        }
        return try body(number)
    }

    /// Locks the file against others until it is closed (flock(2)). Throws `EWOULDBLOCK` while another has it.
    public func lock() throws {
        try use { number in _ = try systemCall("flock") { flock(number, LOCK_EX | LOCK_NB) } }
        state.withLock { $0.isLocked = true }
    }

    public func close() {
        let number: Int32? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            return state.users == 0 ? state.number : nil
        }
        if let number { release(number) }
    }

    private func release(_ number: Int32) {
        // A program that is being started shares the file until it runs, and with it the lock: closing alone would
        // leave the file locked for that moment.
        if state.withLock({ $0.isLocked }) { flock(number, LOCK_UN) }
        // Not retried on EINTR: Linux has released the number by then.
        _ = Glibc.close(number)
    }

    private static let closed = SystemError(code: EBADF, call: "use of a closed descriptor")
}
