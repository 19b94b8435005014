internal import CLinux
internal import Glibc

/// Starts a detached operating system thread. Its signals are blocked, so they reach the loop alone.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) throws {
    final class Box {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(name, body))
    let code = pthread_create(
        &thread, &attributes,
        { raw in
            guard let raw else { return nil }
            let box = Unmanaged<Box>.fromOpaque(raw).takeRetainedValue()
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            // The kernel's limit is 15 bytes.
            perch_name_thread(String(box.name.prefix(15)))
            box.body()
            return nil
        }, box.toOpaque())
    guard code == 0 else {
        box.release()
        throw SystemError(code: code, call: "pthread_create")
    }
}

extension EventLoop {
    /// Runs `body` on a new loop with a thread of its own and returns what it returned: for tests and tools
    /// that are themselves asynchronous.
    public static func run<Value: Sendable>(
        time: Time, _ body: @escaping @Sendable (EventLoop) async throws -> Value
    ) async throws -> Value {
        let loop = try EventLoop(time: time)
        // Here and not on the thread: a test's expectations inside `body` then belong to that test.
        let run = loop.start { try await body(loop) }
        return try await withCheckedThrowingContinuation { continuation in
            do {
                try startThread(named: "loop") {
                    continuation.resume(with: Result { try run() })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
