/// A wall clock for virtual time, which can be wrong at first and be set, as a board's is when it hears a time server.
public final class SettableClock: Sendable {
    private struct State {
        /// What it shows when the monotonic clock shows zero.
        var origin: WallTime
        var isRight: Bool
        var handlers: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    private let state: Protected<State>
    private let clock: any MonotonicClock

    public init(at start: WallTime, isRight: Bool, with clock: any MonotonicClock) {
        state = Protected(State(origin: start, isRight: isRight))
        self.clock = clock
    }

    public var wallClock: WallClock {
        WallClock(
            read: { [state, clock] in WallTime(sinceEpoch: state.withLock { $0.origin.sinceEpoch } + clock.now) },
            check: { [state] in state.withLock { $0.isRight } },
            watch: { [state] handler in
                let id = state.withLock { state in
                    state.count += 1
                    state.handlers[state.count] = handler
                    return state.count
                }
                return WallClockWatch { state.withLock { $0.handlers[id] = nil } }
            })
    }

    /// Sets the clock, which is right from then on. On the loop.
    public func set(to time: WallTime) {
        let handlers = state.withLock { state in
            state.origin = time - clock.now
            state.isRight = true
            return state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler() }
    }
}
