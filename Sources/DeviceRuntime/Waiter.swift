/// A one-time meeting of a task that waits and whoever finishes the wait, in either order and from any
/// thread. Later finishes are ignored, so a result and a cancellation may race.
public final class Waiter: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, any Error>)
        case finished(Result<Void, any Error>)
    }

    private let state = Protected(State.idle)

    public init() {}

    public func finish(_ result: Result<Void, any Error> = .success(())) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            switch state {
            case .idle:
                state = .finished(result)
                return nil
            case .waiting(let continuation):
                state = .finished(result)
                return continuation
            case .finished:
                return nil
            }
        }
        continuation?.resume(with: result)
    }

    /// Waits for ``finish(_:)``; does not itself notice cancellation. For one task only.
    public func value() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Void, any Error>? = state.withLock { state in
                if case .finished(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Waits for ``finish(_:)`` or for the task's cancellation, which throws `CancellationError`.
    public func wait() async throws {
        try await withTaskCancellationHandler {
            try await value()
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }
}
