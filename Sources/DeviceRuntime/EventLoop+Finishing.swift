extension EventLoop {
    /// Runs `body`, which has some time to come to its end when the calling task is cancelled: only `grace` later is
    /// it cancelled as well.
    public func finishing<Value: Sendable>(
        within grace: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let deadline = Protected<ScheduledTimer?>(nil)
        defer { deadline.withLock { $0 }?.cancel() }
        // The only way to outlive a cancellation; it ends before this returns.
        let task = Task(executorPreference: self) { try await body() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            let timer = schedule(after: grace) { task.cancel() }
            deadline.withLock { $0 = timer }
        }
    }
}
