/// A digital line that is read and watched.
///
/// Every call works on the board's event loop and returns at once. Closing more than once is harmless; any
/// other call on a closed line throws ``PeripheralError/Code/closed``.
public protocol DigitalInput: AnyObject, Sendable {
    /// The line's name on its board, for messages: `GPIO17`.
    var name: String { get }

    /// The level that means "active" for what is connected: `low` for a button to ground, `high` for an
    /// HC-SR501.
    var activeLevel: Level { get }

    /// The level now. Throws `closed` or `io`.
    func read() throws -> Level

    /// Hands each edge to `handler`, on the board's event loop, in the order of the kernel's queue. Replaces
    /// an earlier handler; `nil` stops. Edges from before the call are not delivered.
    ///
    /// The handler may close the line. Throws `closed`, or `unsupported` if the line cannot raise interrupts.
    func setEdgeHandler(_ handler: (@Sendable (EdgeEvent) -> Void)?) throws

    /// Gives the line back. It keeps no handler afterwards.
    func close()
}

extension DigitalInput {
    /// Whether the line is at its active level now.
    public func isActive() throws -> Bool { try read() == activeLevel }
}

/// How to open a line for reading.
public struct DigitalInputConfiguration: Sendable, Hashable {
    public var bias: Bias
    public var activeLevel: Level

    public init(bias: Bias = .asIs, activeLevel: Level = .high) {
        self.bias = bias
        self.activeLevel = activeLevel
    }
}
