internal import Peripherals

/// Debounces raw edges as the kernel does: each one begins the wait anew, and a level that lasted is told, dated to
/// the end of the wait. A value: it works by the edges' own times, so a program that was late to read them comes to
/// the same result.
struct EdgeDebouncer {
    private let period: Duration
    private let tells: Set<Edge>
    /// The level that counts.
    private(set) var level: Level
    private var raw: Level
    /// When ``raw`` counts, if nothing comes in between.
    private(set) var deadline: Duration?

    init(period: Duration, tells: Set<Edge>, level: Level) {
        self.period = period
        self.tells = tells
        self.level = level
        raw = level
    }

    mutating func take(_ edge: EdgeEvent, into events: inout [LineEvent]) {
        settle(by: edge.timestamp, into: &events)
        raw = edge.edge.level
        deadline = edge.timestamp + period
    }

    /// Nothing came up to `time`.
    mutating func settle(by time: Duration, into events: inout [LineEvent]) {
        guard let end = deadline, end <= time else { return }
        deadline = nil
        guard raw != level else { return }
        level = raw
        let edge = EdgeEvent(edge: Edge(to: level), timestamp: end)
        if tells.contains(edge.edge) { events.append(.edge(edge)) }
    }

    /// The line reads as this. If an edge was missed, the level has to last from here on.
    mutating func correct(level now: Level, at time: Duration) {
        guard now != raw else { return }
        raw = now
        deadline = time + period
    }

    /// Raw edges were lost: the line may have been stable in between, at either level.
    mutating func lose(level now: Level, at time: Duration, into events: inout [LineEvent]) {
        events.append(.loss(EdgeLoss(count: nil, timestamp: time, level: level, missingEdge: nil)))
        raw = now
        deadline = time + period
    }
}
