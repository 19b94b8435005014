/// A part of a combined transfer: each begins with a start and the address, and the bus is let go of after the last.
public enum I2CMessage: Sendable, Hashable {
    case write([UInt8])
    case read(count: Int)

    /// How many bytes it moves, without the address.
    public var count: Int {
        switch self {
        case .write(let bytes): bytes.count
        case .read(let count): count
        }
    }

    /// How many messages a transfer has at most (`I2C_RDWR_IOCTL_MAX_MSGS` of `linux/i2c-dev.h`).
    public static let mostInTransfer = 42
    /// How many bytes a message has at most (`drivers/i2c/i2c-dev.c`).
    public static let largest = 8192

    /// Throws `invalidArgument` for what does not fit in one transfer. `target` is for the message.
    package static func check(_ messages: [I2CMessage], for target: String) throws {
        guard 1...mostInTransfer ~= messages.count else {
            throw PeripheralError(
                .invalidArgument,
                "\(target): a transfer has from 1 to \(mostInTransfer) messages, not \(messages.count)",
                advice: "make several transfers; between them the bus is let go of")
        }
        for message in messages where !(1...largest ~= message.count) {
            throw PeripheralError(
                .invalidArgument, "\(target): a message has from 1 to \(largest) bytes, not \(message.count)",
                advice: message.count < 1 ? "use SMBusCommand.quick for an address alone" : "make several transfers")
        }
    }
}
