/// What a watched line tells.
public enum LineEvent: Sendable, Hashable {
    case edge(EdgeEvent)
    /// Edges were lost, before those that follow.
    case loss(EdgeLoss)
    /// No edge came for as long as the watch said. Comes once; the next edge begins the wait anew.
    case quiet(since: Duration)
    /// The line works no more, such as one whose chip was unplugged. The last event.
    case failure(PeripheralError)

    /// For whoever follows the level alone: the edge, or after a loss the one that is missing. So a lost edge
    /// cannot leave a driver with the wrong level.
    public var edge: EdgeEvent? {
        switch self {
        case .edge(let edge): edge
        case .loss(let loss): loss.missingEdge
        case .quiet, .failure: nil
        }
    }
}

/// Edges that happened and were not delivered: the reader was too slow for the kernel's queue (16 edges a line), or
/// the hardware was too fast for the kernel's interrupts.
///
/// With libgpiod 2 the kernel numbers the edges, so a full queue shows as a number of lost ones. With 1.6 there are
/// no numbers: a queue that was found full, two equal edges in a row, or a level that disagrees with the last edge
/// tell that edges were lost, not how many (a queue that was exactly full tells it with none lost). Under either, two
/// edges so close that the kernel saw neither cannot be told.
public struct EdgeLoss: Sendable, Hashable {
    /// How many edges; `nil` where the interface cannot tell.
    public var count: UInt64?
    /// When it was noticed, as time since boot: no earlier than the last of the lost edges.
    public var timestamp: Duration
    /// The line's level after the lost edges.
    public var level: Level
    /// The edge that leads from the last one that was delivered to ``level``, dated to ``timestamp``. `nil` if the
    /// level is what it was, or if such edges were not asked for.
    public var missingEdge: EdgeEvent?

    public init(count: UInt64?, timestamp: Duration, level: Level, missingEdge: EdgeEvent?) {
        self.count = count
        self.timestamp = timestamp
        self.level = level
        self.missingEdge = missingEdge
    }
}
