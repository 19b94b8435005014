/// Bits that are inverted in what an SPI part answers, which nobody notices without a check byte: see
/// ``SimulatedSPITarget/inject(_:)``.
public struct SPIFault: Sendable, Hashable {
    public var mask: UInt8
    /// Which byte of a segment, from 0 on.
    public var byte: Int
    /// Segments that have such a byte.
    public var occasions: FaultOccasions

    public init(flipping mask: UInt8, inByte byte: Int = 0, _ occasions: FaultOccasions = FaultOccasions()) {
        self.mask = mask
        self.byte = byte
        self.occasions = occasions
    }

    mutating func damage(_ answer: inout [UInt8]) {
        guard answer.indices.contains(byte), occasions.takesNext() else { return }
        answer[byte] ^= mask
    }
}
