import DeviceRuntime

extension EventLoop {
    /// Lets the time of a transfer pass. As on the real board, one that has begun ends also when its task is cancelled.
    func passBusTime(until end: Duration) async throws {
        let waiter = Waiter()
        schedule(at: end) { waiter.finish() }
        try await waiter.value()
    }
}
