public import DeviceRuntime
public import Peripherals

/// Keeps what a line tells, and lets a test wait for it.
public final class LineRecorder: Sendable {
    private struct State {
        var events: [LineEvent] = []
        var isWanted: (@Sendable ([LineEvent]) -> Bool)?
        var waiter: Waiter?
    }

    /// What was waited for did not come.
    public struct Missing: Error { public let events: [LineEvent] }

    private let state = Protected(State())

    public init() {}

    public var events: [LineEvent] { state.withLock { $0.events } }

    /// Without what a loss is made up by.
    public var edges: [EdgeEvent] {
        events.compactMap { event in
            guard case .edge(let edge) = event else { return nil }
            return edge
        }
    }

    public var losses: [EdgeLoss] {
        events.compactMap { event in
            guard case .loss(let loss) = event else { return nil }
            return loss
        }
    }

    public func add(_ event: LineEvent) {
        let waiter: Waiter? = state.withLock { state in
            state.events.append(event)
            return state.isWanted?(state.events) == true ? state.waiter : nil
        }
        waiter?.finish()
    }

    /// Waits until the events are as `isWanted` says. Throws after ten seconds: far more than any of them takes.
    public func wait(on loop: EventLoop, until isWanted: @escaping @Sendable ([LineEvent]) -> Bool) async throws {
        let waiter = Waiter()
        let isThere = state.withLock { state in
            state.isWanted = isWanted
            state.waiter = waiter
            return isWanted(state.events)
        }
        if isThere { waiter.finish() }
        let timer = loop.schedule(after: .seconds(10)) { waiter.finish(.failure(Missing(events: self.events))) }
        defer { timer.cancel() }
        try await waiter.wait()
    }

    /// The first `count` edges, once they are there.
    @discardableResult
    public func first(_ count: Int, on loop: EventLoop) async throws -> [EdgeEvent] {
        try await wait(on: loop) { events in
            var edges = 0
            for case .edge in events { edges += 1 }
            return edges >= count
        }
        return Array(edges.prefix(count))
    }
}
