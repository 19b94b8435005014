internal import DeviceRuntime

/// Says to work on another thread that nobody waits for it any more.
final class Cancellation: Sendable {
    private let flag = Protected(false)

    init() {}

    var isCancelled: Bool { flag.withLock { $0 } }

    func cancel() { flag.withLock { $0 = true } }

    /// Throws `CancellationError` once cancelled.
    func check() throws {
        if isCancelled { throw CancellationError() }
    }
}

extension BlockingThread {
    /// Runs work that looks at its ``Cancellation`` now and then. `onCancel` is what wakes it up when it sleeps.
    func runCancellable<Value: Sendable>(
        onCancel: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await run { try work(cancellation) }
        } onCancel: {
            cancellation.cancel()
            onCancel()
        }
    }
}
