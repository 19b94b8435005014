public import DeviceRuntime

/// When a part is read: at once, then every so often, and whenever somebody asks.
public final class ReadingSchedule: Sendable {
    private struct State {
        /// `nil` before the first one, which is due at once.
        var due: Duration?
        var isAsked = false
        var waiter: Waiter?
    }

    private let interval: Duration
    private let clock: any MonotonicClock
    private let state = Protected(State())

    public init(every interval: Duration, clock: any MonotonicClock) {
        self.interval = interval
        self.clock = clock
    }

    /// Asks for a reading now.
    public func ask() {
        let waiter = state.withLock { state in
            state.isAsked = true
            return state.waiter
        }
        waiter?.finish()
    }

    /// Waits until it is time for the next reading, and returns whether somebody asked for it. One task at a time.
    /// Throws `CancellationError`.
    ///
    /// Readings are due in steps of the interval from the first one on; those that fall into the time of another one,
    /// or of anything else that was done meanwhile, are left out.
    public func next() async throws -> Bool {
        let waiter = Waiter()
        let now = clock.now
        let (due, isAsked) = state.withLock { state in
            state.waiter = waiter
            let due = state.due.map { nextDue(after: now, from: $0) } ?? now
            state.due = due
            return (due, state.isAsked)
        }
        if isAsked { waiter.finish() }
        let timer = clock.schedule(at: due) { waiter.finish() }
        defer { timer.cancel() }
        try await waiter.wait()
        let end = clock.now
        return state.withLock { state in
            if due <= end { state.due = due + interval }
            defer { state.isAsked = false }
            return state.isAsked
        }
    }

    private func nextDue(after now: Duration, from due: Duration) -> Duration {
        due >= now ? due : due + interval * ((now - due) / interval).rounded(.up)
    }
}

/// The options and the command that parts which are read have in common.
public enum ReadingOptions {
    public static let every = Option(
        "every", .duration(.milliseconds(10)...(.seconds(7 * 86400))), default: "60s", "how often it is read")
    public static let atLeastEvery = Option(
        "at-least-every", .duration(.milliseconds(10)...(.seconds(7 * 86400))), default: "1h",
        "how long readings may be kept back because too little has changed")
    public static let read = CommandDescription("read", "reads it now, and tells the reading whatever it is")
}
