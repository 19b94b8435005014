/// A command of the System Management Bus (SMBus specification 3.2, section 6.5), and the kernel's I2C block, which is
/// one without the count on the wire.
///
/// The first value is the command's code, a register to most parts. Words are little-endian on the wire.
public enum SMBusCommand: Sendable, Hashable {
    /// The address alone, with the bit that says read or write.
    case quick(isRead: Bool)
    case receiveByte
    case sendByte(UInt8)
    case readByte(UInt8)
    case writeByte(UInt8, UInt8)
    case readWord(UInt8)
    case writeWord(UInt8, UInt16)
    case processCall(UInt8, UInt16)
    /// The target says how many bytes follow: 1 to 32.
    case readBlock(UInt8)
    /// 1 to 32 bytes, with their count before them on the wire.
    case writeBlock(UInt8, [UInt8])
    case blockProcessCall(UInt8, [UInt8])
    /// 1 to 32 bytes.
    case readI2CBlock(UInt8, count: Int)
    /// 1 to 32 bytes, without a count on the wire.
    case writeI2CBlock(UInt8, [UInt8])

    /// How many bytes a block has at most (`I2C_SMBUS_BLOCK_MAX`).
    public static let largestBlock = 32

    /// What a controller must be able to do for it.
    public var needs: I2CFunctionality {
        switch self {
        case .quick: .quick
        case .receiveByte: .receiveByte
        case .sendByte: .sendByte
        case .readByte: .readByte
        case .writeByte: .writeByte
        case .readWord: .readWord
        case .writeWord: .writeWord
        case .processCall: .processCall
        case .readBlock: .readBlock
        case .writeBlock: .writeBlock
        case .blockProcessCall: .blockProcessCall
        case .readI2CBlock: .readI2CBlock
        case .writeI2CBlock: .writeI2CBlock
        }
    }

    /// The bytes of its block, where it has one that the caller sizes.
    private var blockSize: Int? {
        switch self {
        case .writeBlock(_, let bytes), .blockProcessCall(_, let bytes), .writeI2CBlock(_, let bytes): bytes.count
        case .readI2CBlock(_, let count): count
        default: nil
        }
    }

    /// Throws `invalidArgument` for a block of a wrong size and `unsupported` for what the controller lacks.
    package func check(against functionality: I2CFunctionality, for target: String) throws {
        if let blockSize, !(1...Self.largestBlock ~= blockSize) {
            throw PeripheralError(
                .invalidArgument, "\(target): a block has from 1 to \(Self.largestBlock) bytes, not \(blockSize)")
        }
        guard functionality.isSuperset(of: needs) else {
            throw PeripheralError(
                .unsupported, "\(target): no '\(needs)' on this bus", cause: "its controller has no such SMBus command",
                advice: "use a bus whose controller has, as those of the board's header")
        }
    }

    /// The command that is the same on the wire as a raw transfer, for controllers that know commands only.
    package init(of messages: [I2CMessage], for target: String) throws {
        switch (messages.first, messages.dropFirst().first, messages.count) {
        case (.read(count: 1), nil, _): self = .receiveByte
        case (.write(let bytes), nil, _) where bytes.count == 1: self = .sendByte(bytes[0])
        case (.write(let bytes), nil, _) where bytes.count == 2: self = .writeByte(bytes[0], bytes[1])
        // Not a block write, which would put a count before the data.
        case (.write(let bytes), nil, _) where 3...Self.largestBlock + 1 ~= bytes.count:
            self = .writeI2CBlock(bytes[0], Array(bytes.dropFirst()))
        case (.write(let bytes), .read(count: 1), 2) where bytes.count == 1: self = .readByte(bytes[0])
        case (.write(let bytes), .read(let count), 2) where bytes.count == 1 && 2...Self.largestBlock ~= count:
            self = .readI2CBlock(bytes[0], count: count)
        default:
            let words = messages.map { message in
                switch message {
                case .write(let bytes): "write \(bytes.count)"
                case .read(let count): "read \(count)"
                }
            }
            throw PeripheralError(
                .unsupported, "\(target): cannot \(words.joined(separator: ", ")) bytes in one transfer on this bus",
                cause: "its controller takes SMBus commands only, and there is none for it",
                advice: "use a bus with raw messages, as those of the board's header are")
        }
    }
}
