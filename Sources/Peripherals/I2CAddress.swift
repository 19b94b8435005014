/// An I2C address, right-aligned: seven bits without the reserved ones, 0x08 to 0x77 (I2C-bus specification
/// UM10204, section 3.1.12), or ten bits where somebody says so.
///
/// The two are different addresses on the wire even where their numbers are alike, and never equal. A number that does
/// not fit in seven bits is refused, not taken for ten: see ``init(tenBit:)``.
public struct I2CAddress: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let rawValue: UInt16
    /// Whether it has ten bits (UM10204 section 3.1.11). Few controllers can, and hardly any part has one.
    public let isTenBit: Bool

    /// Of seven bits.
    public static let range: ClosedRange<UInt16> = 0x08...0x77

    /// `nil` for a reserved address or one that does not fit in seven bits.
    public init?(_ rawValue: Int) {
        guard let value = UInt16(exactly: rawValue), Self.range.contains(value) else { return nil }
        self.rawValue = value
        isTenBit = false
    }

    /// An address of ten bits, 0x000 to 0x3FF; `nil` for one that does not fit.
    public init?(tenBit rawValue: Int) {
        guard 0...0x3FF ~= rawValue else { return nil }
        self.rawValue = UInt16(rawValue)
        isTenBit = true
    }

    /// Every address of seven bits, in order.
    public static var all: [I2CAddress] { range.compactMap { I2CAddress(Int($0)) } }

    /// Those of seven bits first.
    public static func < (left: I2CAddress, right: I2CAddress) -> Bool {
        left.isTenBit == right.isTenBit ? left.rawValue < right.rawValue : right.isTenBit
    }

    /// `0x70`; `0x170 (10-bit)`
    public var description: String {
        let digits = String(rawValue, radix: 16)
        let width = isTenBit ? 3 : 2
        return "0x" + String(repeating: "0", count: width - digits.count) + digits + (isTenBit ? " (10-bit)" : "")
    }
}
