public import Peripherals

/// What goes wrong with the edges of a line on their way to the program: see ``SimulatedLine/inject(_:)``.
///
/// The level is not touched. As when an interrupt comes too late or twice, the kernel does not number what it misses.
public struct LineFault: Sendable, Hashable {
    public enum Effect: Sendable, Hashable {
        case droppedEdge
        case doubledEdge
    }

    public var effect: Effect
    /// Which edges count; `nil` for both.
    public var edge: Edge?
    public var occasions: FaultOccasions

    public init(_ effect: Effect, of edge: Edge? = nil, _ occasions: FaultOccasions = FaultOccasions()) {
        self.effect = effect
        self.edge = edge
        self.occasions = occasions
    }

    /// An edge is about to be queued: returns how often it is, or `nil` where this fault has no part in it.
    mutating func takesNext(_ edge: Edge) -> Int? {
        guard self.edge ?? edge == edge, occasions.takesNext() else { return nil }
        switch effect {
        case .droppedEdge: return 0
        case .doubledEdge: return 2
        }
    }
}
