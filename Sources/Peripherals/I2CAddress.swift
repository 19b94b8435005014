/// A 7-bit I2C address, right-aligned, without the reserved ones: 0x08 to 0x77 (I2C-bus specification
/// UM10204, section 3.1.12).
public struct I2CAddress: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let rawValue: UInt8

    public static let range: ClosedRange<UInt8> = 0x08...0x77

    /// `nil` for a reserved address or one that does not fit in seven bits.
    public init?(_ rawValue: Int) {
        guard let byte = UInt8(exactly: rawValue), Self.range.contains(byte) else { return nil }
        self.rawValue = byte
    }

    public static func < (left: I2CAddress, right: I2CAddress) -> Bool { left.rawValue < right.rawValue }

    /// `0x70`
    public var description: String { (rawValue < 0x10 ? "0x0" : "0x") + String(rawValue, radix: 16) }
}
