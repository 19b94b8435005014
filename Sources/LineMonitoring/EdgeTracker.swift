internal import Peripherals

/// Follows a line's level by its edges, and finds out when some are missing. A value: no time, no calls.
struct EdgeTracker {
    /// Where ``level`` is known from.
    private enum Origin {
        /// It was read: an edge that was on its way then may still lead to it.
        case reading
        case edge
        /// A loss that was told with its missing edge, which may still be on its way.
        case synthesis
    }

    private let tellsRising: Bool
    private let tellsFalling: Bool
    /// Both edges come from the kernel, so the level can be followed.
    let followsLevel: Bool
    private(set) var level: Level
    private var origin = Origin.reading
    private var lastNumber: UInt64?
    private var queueWasFull = false

    private func tells(_ edge: Edge) -> Bool { edge == .rising ? tellsRising : tellsFalling }

    /// `tells` are the edges to be told; `level` is the one now; `lastNumber` is that of the last edge that is not told any more.
    init(tells: Set<Edge>, kernelEdges: Set<Edge>, level: Level, lastNumber: UInt64? = nil) {
        tellsRising = tells.contains(.rising)
        tellsFalling = tells.contains(.falling)
        followsLevel = kernelEdges.count == 2
        self.level = level
        self.lastNumber = lastNumber
    }

    /// An edge from before, which is not told. The level was read after it.
    mutating func skip(_ edge: EdgeEvent) { lastNumber = edge.sequenceNumber }

    /// Every place of the queue was taken, and there are no numbers: newer edges may have found no place.
    mutating func foundQueueFull() { queueWasFull = true }

    mutating func take(_ edge: EdgeEvent, into events: inout [LineEvent]) {
        let gap = gap(before: edge)
        let isDouble = followsLevel && edge.edge.level == level
        let isKnown = isDouble && origin != .edge && gap == nil && !queueWasFull
        if isKnown {
            let wasTold = origin == .synthesis
            origin = .edge
            if wasTold { return }
        } else if gap != nil || queueWasFull || isDouble {
            // What an edge leads from is the level after what was lost.
            lose(gap, at: edge.timestamp, level: edge.edge.level.inverted, into: &events)
        }
        level = edge.edge.level
        origin = .edge
        if tells(edge.edge) { events.append(.edge(edge)) }
    }

    /// Whether nothing speaks for a loss when the line reads as this.
    func agrees(with now: Level) -> Bool { !queueWasFull && (!followsLevel || now == level) }

    /// The queue is empty, and the line reads as this.
    mutating func drained(level now: Level, at time: Duration, into events: inout [LineEvent]) {
        if queueWasFull { lose(nil, at: time, level: now, into: &events) }
    }

    /// The line has read as this for a while, without an edge that leads there.
    mutating func disagree(level now: Level, at time: Duration, into events: inout [LineEvent]) {
        if now != level { lose(nil, at: time, level: now, into: &events) }
    }

    private mutating func gap(before edge: EdgeEvent) -> UInt64? {
        guard let number = edge.sequenceNumber else { return nil }
        defer { lastNumber = number }
        let expected = (lastNumber ?? 0) + 1
        return number > expected ? number - expected : nil
    }

    private mutating func lose(
        _ count: UInt64?, at time: Duration, level now: Level, into events: inout [LineEvent]
    ) {
        let missing = EdgeEvent(edge: Edge(to: now), timestamp: time)
        let isMissing = followsLevel && now != level && tells(missing.edge)
        events.append(
            .loss(EdgeLoss(count: count, timestamp: time, level: now, missingEdge: isMissing ? missing : nil)))
        if now != level { origin = .synthesis }
        level = now
        queueWasFull = false
    }
}
