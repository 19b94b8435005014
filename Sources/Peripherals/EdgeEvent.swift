/// A change of a line's electrical level.
public enum Edge: String, Sendable, Hashable, CaseIterable {
    case rising
    case falling

    /// The level after this edge.
    public var level: Level { self == .rising ? .high : .low }

    /// The edge that leads to `level`.
    public init(to level: Level) { self = level == .high ? .rising : .falling }
}

/// One edge, as the kernel saw it.
public struct EdgeEvent: Sendable, Hashable {
    public var edge: Edge

    /// When it happened, as time since boot on `CLOCK_MONOTONIC`. Stamped by the kernel in its interrupt
    /// handler, so it does not depend on how busy the program is.
    public var timestamp: Duration

    /// Counts this line's edges from 1. `nil` where the interface has no such number (libgpiod 1.6), and for an
    /// edge that was not seen but is known to be missing. A gap is told as ``LineEvent/loss(_:)``.
    public var sequenceNumber: UInt64?

    public init(edge: Edge, timestamp: Duration, sequenceNumber: UInt64? = nil) {
        self.edge = edge
        self.timestamp = timestamp
        self.sequenceNumber = sequenceNumber
    }
}
