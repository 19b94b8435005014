/// A digital line that is read and watched.
///
/// Every call works on the board's event loop and returns at once. Closing more than once is harmless; any
/// other call on a closed line, from any task, throws ``PeripheralError/Code/closed``.
public protocol DigitalInput: AnyObject, Sendable {
    /// The line's name on its board, for messages: `GPIO17`.
    var name: String { get }

    /// The level that means "active" for what is connected: `low` for a button to ground, `high` for an
    /// HC-SR501.
    var activeLevel: Level { get }

    /// Who keeps the promise of ``DigitalInputConfiguration/debounce``.
    var debouncer: Debouncer { get }

    /// The level now; with a debounce, the level that counts. Throws `closed` or `io`.
    func read() throws -> Level

    /// Hands what the line tells to `handler`, on the board's event loop, in the order of the kernel's queue.
    /// Replaces an earlier handler; `nil` stops. Edges from before the call are not delivered.
    ///
    /// With `quiet`, the handler also hears when no edge came for that long. The handler may close the line or set
    /// another handler. Throws `closed`, `unsupported` if the line cannot raise interrupts, or `invalidArgument` if
    /// it was opened for no edges.
    func setEventHandler(quietAfter quiet: Duration?, _ handler: (@Sendable (LineEvent) -> Void)?) throws

    /// Gives the line back. It keeps no handler afterwards.
    func close()
}

extension DigitalInput {
    /// Whether the line is at its active level now.
    public func isActive() throws -> Bool { try read() == activeLevel }

    /// ``setEventHandler(quietAfter:_:)`` without a word about quiet.
    public func setEventHandler(_ handler: (@Sendable (LineEvent) -> Void)?) throws {
        try setEventHandler(quietAfter: nil, handler)
    }
}

/// Who keeps the promise of a debounce: that a level counts after it was stable that long, that edges alternate, and
/// that reading gives the level that counts.
public enum Debouncer: String, Sendable, Hashable {
    /// Nobody: none was asked for.
    case none
    /// The kernel, or the hardware below it (libgpiod 2).
    case kernel
    /// The program, from the kernel's raw edges (libgpiod 1.6).
    case program
}

/// How to open a line for reading.
public struct DigitalInputConfiguration: Sendable, Hashable {
    public var bias: Bias
    public var activeLevel: Level
    /// The edges to be told. With none, the line needs no interrupt.
    public var edges: Set<Edge>
    /// How long a level must be stable before it counts; zero for no debounce. An edge is then dated to the end of
    /// that time. Up to 4294 s (the kernel's 32 bits of microseconds); a part of a microsecond counts as a whole.
    public var debounce: Duration

    public init(
        bias: Bias = .asIs, activeLevel: Level = .high, edges: Set<Edge> = [.rising, .falling],
        debounce: Duration = .zero
    ) {
        self.bias = bias
        self.activeLevel = activeLevel
        self.edges = edges
        self.debounce = debounce
    }
}
