/// The time since boot, and the only way to wait in Perch.
///
/// Real on a board (`CLOCK_MONOTONIC`, which no time server can set back); on the simulated board a number
/// that jumps to the next deadline as soon as there is nothing else to do.
public protocol MonotonicClock: AnyObject, Sendable {
    /// Time since boot.
    var now: Duration { get }

    /// Runs `handler` on the loop at `deadline`, or as soon as possible if that has passed.
    @discardableResult
    func schedule(at deadline: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledTimer
}

extension MonotonicClock {
    /// Runs `handler` on the loop after `delay`.
    @discardableResult
    public func schedule(after delay: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledTimer {
        schedule(at: now + delay, handler)
    }

    /// Waits until `deadline`. Throws `CancellationError` at once when the task is cancelled.
    public func sleep(until deadline: Duration) async throws {
        let wait = Waiter()
        let timer = schedule(at: deadline) { wait.finish(.success(())) }
        try await withTaskCancellationHandler {
            try await wait.value()
        } onCancel: {
            timer.cancel()
            wait.finish(.failure(CancellationError()))
        }
    }

    /// Waits for `duration`. Throws `CancellationError` at once when the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await sleep(until: now + duration) }
}
