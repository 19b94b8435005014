internal import DeviceRuntime
internal import Peripherals

/// What a ``MonitoredInput`` knows, behind its lock.
struct MonitorState {
    var handler: (@Sendable (LineEvent) -> Void)?
    /// Grows with each change of the handler: what is on its way to an earlier one is dropped.
    private(set) var generation: UInt64 = 0
    /// Edges from before are not the handler's.
    var since: Duration = .zero
    var lastNumber: UInt64?

    var tracker: EdgeTracker?
    var debouncer: EdgeDebouncer?
    /// How many edges came: an unchanged number means that none did.
    private(set) var edgeCount: UInt64 = 0

    var isWatching = false
    /// What is still to be handed out.
    var outbox: [LineEvent] = []
    var isDelivering = false

    var settling: ScheduledTimer?
    var recheck: ScheduledTimer?

    var quiet: Duration?
    var quietTimer: ScheduledTimer?
    /// Told, and no edge since.
    var isQuiet = false
    /// When an edge was last told, or the handler was set.
    var lastEdge: Duration = .zero

    mutating func take(_ edge: EdgeEvent) {
        edgeCount += 1
        debouncer?.take(edge, into: &outbox)
        lastNumber = edge.sequenceNumber
        if edge.timestamp >= since {
            tracker?.take(edge, into: &outbox)
        } else {
            tracker?.skip(edge)
        }
    }

    /// Begins a delivery, unless there is nothing to hand out or one is under way.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, !outbox.isEmpty else { return false }
        isDelivering = true
        return true
    }

    /// Who is to be handed an event: `nil` if the handler has changed since.
    mutating func handler(for event: LineEvent, of generation: UInt64) -> (@Sendable (LineEvent) -> Void)? {
        guard generation == self.generation else { return nil }
        switch event {
        case .edge(let edge): lastEdge = edge.timestamp
        case .loss(let loss): lastEdge = loss.timestamp
        case .quiet, .failure: return handler
        }
        isQuiet = false
        return handler
    }

    /// When the next word about quiet is due, if nothing waits for it.
    var quietToArm: Duration? {
        guard let quiet, quietTimer == nil, !isQuiet else { return nil }
        return lastEdge + quiet
    }

    /// Lets go of the handler and of what was meant for it.
    mutating func forgetHandler() {
        generation += 1
        handler = nil
        tracker = nil
        outbox = []
        quiet = nil
        isQuiet = false
        quietTimer?.cancel()
        quietTimer = nil
        recheck?.cancel()
        recheck = nil
    }
}
