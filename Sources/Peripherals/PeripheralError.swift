/// What went wrong with a peripheral: a kind to decide by, a message that names the thing, the cause, and what
/// to do about it.
public struct PeripheralError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The board has no such line, bus, channel or device node.
        case notFound
        /// The process may not open it: a group (`gpio`, `i2c`, `spi`) or a udev rule is missing.
        case permissionDenied
        /// Somebody else holds it; the message says who, where the kernel tells.
        case busy
        /// The I2C target did not acknowledge its address: absent, unpowered or badly wired. Many controllers do not
        /// tell whether it was the address (``dataNotAcknowledged``); it is this then.
        case noAcknowledge
        /// The I2C target is there and refused a byte that it was sent.
        case dataNotAcknowledged
        /// Another I2C controller won the bus.
        case arbitrationLost
        /// What was read has a wrong check byte (SMBus PEC).
        case corrupted
        /// It took longer than allowed: a stuck bus, a hung program.
        case timedOut
        /// The values do not fit the interface's rules.
        case invalidArgument
        /// It was closed before.
        case closed
        /// The hardware or its driver cannot do this.
        case unsupported
        /// Anything else that the kernel reports.
        case io
    }

    public var code: Code
    /// What failed, naming the bus, line or address.
    public var message: String
    /// What the layer below said: `EREMOTEIO (121)`.
    public var cause: String?
    /// What to do about it.
    public var advice: String?

    public init(_ code: Code, _ message: String, cause: String? = nil, advice: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.advice = advice
    }

    public var description: String {
        message + (cause.map { ": \($0)" } ?? "") + (advice.map { "; \($0)" } ?? "")
    }
}
