/// A digital line that is driven.
///
/// Closing more than once is harmless; any other call on a closed line throws
/// ``PeripheralError/Code/closed``. What level the wire keeps after closing is up to the chip's driver: who
/// needs a certain level sets it first.
public protocol DigitalOutput: AnyObject, Sendable {
    /// The line's name on its board, for messages: `GPIO17`.
    var name: String { get }

    /// Drives the line; with a drive other than push-pull, one of the levels lets go of it. Throws `closed` or `io`.
    func write(_ level: Level) throws

    /// Gives the line back.
    func close()
}

/// Which levels an output drives (the kernel's words).
public enum Drive: String, Sendable, Hashable, CaseIterable {
    /// Both.
    case pushPull = "push-pull"
    /// Low only: at high the line is let go, and a pull resistor or another device decides.
    case openDrain = "open-drain"
    /// High only.
    case openSource = "open-source"
}

/// How to open a line for driving.
public struct DigitalOutputConfiguration: Sendable, Hashable {
    /// The level from the first moment on: the line never shows another one while it is opened.
    public var initialLevel: Level
    public var drive: Drive
    /// The pull resistor, for a line that is let go.
    public var bias: Bias

    public init(initialLevel: Level, drive: Drive = .pushPull, bias: Bias = .asIs) {
        self.initialLevel = initialLevel
        self.drive = drive
        self.bias = bias
    }
}
