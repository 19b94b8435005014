import Conformance
import DeviceRuntime
import Peripherals

/// Keeps the edges that it is handed, and lets a test wait for a number of them.
final class EdgeRecorder: Sendable {
    private struct State {
        var events: [EdgeEvent] = []
        var others: [LineEvent] = []
        var wanted = 0
        var waiter: Waiter?
    }

    struct TooFew: Error { let events: [EdgeEvent] }

    private let state = Protected(State())

    var events: [EdgeEvent] { state.withLock { $0.events } }

    /// Everything but edges, which a test that expects none of it looks at.
    var others: [LineEvent] { state.withLock { $0.others } }

    func add(_ event: LineEvent) {
        guard case .edge(let event) = event else { return state.withLock { $0.others.append(event) } }
        let waiter: Waiter? = state.withLock { state in
            state.events.append(event)
            return state.events.count >= state.wanted ? state.waiter : nil
        }
        waiter?.finish()
    }

    /// The first `count` edges, once they are there. Throws after ten seconds: far more than any of them takes.
    func first(_ count: Int, on loop: EventLoop) async throws -> [EdgeEvent] {
        let waiter = Waiter()
        let isThere = state.withLock { state in
            state.wanted = count
            state.waiter = waiter
            return state.events.count >= count
        }
        if isThere { waiter.finish() }
        let timer = loop.schedule(after: .seconds(10)) { waiter.finish(.failure(TooFew(events: self.events))) }
        defer { timer.cancel() }
        try await waiter.wait()
        return Array(events.prefix(count))
    }
}
