extension EventLoop {
    /// Calls `handler` on the loop whenever `descriptor` is ready, until the watch is cancelled.
    ///
    /// On the loop's thread only. The descriptor stays the caller's: cancel the watch, then close it. Throws
    /// ``SystemError``: `EPERM` for a file that cannot be waited for.
    public func watch(
        _ descriptor: Int32, for readiness: Readiness = .readable,
        _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws -> DescriptorWatch {
        checkIsolated()
        let id = try poller.add(descriptor, readiness, handler)
        return DescriptorWatch { [weak self] in self?.poller.remove(descriptor, id: id) }
    }

    /// Waits until `descriptor` is ready. Throws `CancellationError` when the task is cancelled.
    public func wait(for descriptor: Int32, _ readiness: Readiness = .readable) async throws {
        let waiter = Waiter()
        let watch = try watch(descriptor, for: readiness) { _ in waiter.finish() }
        defer { watch.cancel() }
        try await waiter.wait()
    }
}

/// A watched file descriptor.
public final class DescriptorWatch: Sendable {
    private let remove: OneTimeAction

    init(_ remove: @escaping @Sendable () -> Void) { self.remove = OneTimeAction(remove) }

    /// Ends the watch; the handler is not called any more, also not for an event that is pending. On the
    /// loop's thread, any number of times, also inside the handler.
    public func cancel() { remove.run() }
}
