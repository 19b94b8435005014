import DeviceRuntime
import Glibc

/// A trace on its way to a file: lines are taken at once, and written on a thread of their own.
final class TraceFile: Sendable {
    private struct State {
        var text = ""
        var wake = Waiter()
        var failure: (any Error)?
    }

    private let path: String
    private let file: FileDescriptor
    private let thread: BlockingThread
    private let state = Protected(State())

    /// Begins a new file in place of what had its name. Throws ``SystemError``.
    init(_ path: String, loop: EventLoop) throws {
        self.path = path
        file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
        thread = try BlockingThread(named: "trace", loop: loop)
    }

    func add(_ line: some CustomStringConvertible) {
        state.withLock { state in
            state.text += "\(line)\n"
            state.wake.finish()
        }
    }

    /// Writes what comes until cancelled. Throws ``SystemError`` when the disk takes no more.
    func run() async throws {
        while true {
            try await state.withLock { $0.wake }.wait()
            try await flush()
        }
    }

    /// Writes what has come. What has failed once fails again: a trace with a gap is none.
    func flush() async throws {
        let text = try state.withLock { state in
            if let failure = state.failure { throw failure }
            defer { state = State() }
            return state.text
        }
        guard !text.isEmpty else { return }
        do {
            try await thread.run { [file, path] in try Files.append(text.utf8, to: file, path) }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }
}
