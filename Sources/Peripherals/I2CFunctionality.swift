/// What an I2C controller can do. The bits are the kernel's (`I2C_FUNC_*` of `linux/i2c.h`).
public struct I2CFunctionality: OptionSet, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Raw messages of any length, with repeated starts. Without it there are SMBus commands only.
    public static let rawMessages = I2CFunctionality(rawValue: 0x1)
    public static let tenBitAddresses = I2CFunctionality(rawValue: 0x2)
    public static let packetErrorChecking = I2CFunctionality(rawValue: 0x8)
    public static let blockProcessCall = I2CFunctionality(rawValue: 0x8000)
    public static let quick = I2CFunctionality(rawValue: 0x1_0000)
    public static let receiveByte = I2CFunctionality(rawValue: 0x2_0000)
    public static let sendByte = I2CFunctionality(rawValue: 0x4_0000)
    public static let readByte = I2CFunctionality(rawValue: 0x8_0000)
    public static let writeByte = I2CFunctionality(rawValue: 0x10_0000)
    public static let readWord = I2CFunctionality(rawValue: 0x20_0000)
    public static let writeWord = I2CFunctionality(rawValue: 0x40_0000)
    public static let processCall = I2CFunctionality(rawValue: 0x80_0000)
    public static let readBlock = I2CFunctionality(rawValue: 0x100_0000)
    public static let writeBlock = I2CFunctionality(rawValue: 0x200_0000)
    public static let readI2CBlock = I2CFunctionality(rawValue: 0x400_0000)
    public static let writeI2CBlock = I2CFunctionality(rawValue: 0x800_0000)

    private static let names: [(I2CFunctionality, String)] = [
        (.rawMessages, "raw messages"), (.tenBitAddresses, "10-bit addresses"),
        (.packetErrorChecking, "packet error checking"), (.quick, "quick"), (.receiveByte, "receive byte"),
        (.sendByte, "send byte"), (.readByte, "read byte"), (.writeByte, "write byte"), (.readWord, "read word"),
        (.writeWord, "write word"), (.processCall, "process call"), (.readBlock, "read block"),
        (.writeBlock, "write block"), (.blockProcessCall, "block process call"), (.readI2CBlock, "read I2C block"),
        (.writeI2CBlock, "write I2C block"),
    ]

    /// The names of what it can do: `quick, read byte`.
    public var description: String { Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") }
}
