/// A digital line that is driven.
///
/// Closing more than once is harmless; any other call on a closed line throws
/// ``PeripheralError/Code/closed``. What level the wire keeps after closing is up to the chip's driver: who
/// needs a certain level sets it first.
public protocol DigitalOutput: AnyObject, Sendable {
    /// The line's name on its board, for messages: `GPIO17`.
    var name: String { get }

    /// Drives the line. Throws `closed` or `io`.
    func write(_ level: Level) throws

    /// Gives the line back.
    func close()
}

/// How to open a line for driving.
public struct DigitalOutputConfiguration: Sendable, Hashable {
    /// The level from the first moment on: the line never shows another one while it is opened.
    public var initialLevel: Level

    public init(initialLevel: Level) { self.initialLevel = initialLevel }
}
