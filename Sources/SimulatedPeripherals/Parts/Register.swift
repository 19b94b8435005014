public import Peripherals

/// A register of a simulated part, as a line of its datasheet's table says it.
///
///     static let status = Register("status", at: 0x00, .writeOneToClear, reset: 0x01)
///     static let temperature = Register("temperature", at: 0x02, bytes: 2, .readOnly)
public struct Register: Sendable {
    /// What the bus may do with it.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        case readWrite
        /// Writing changes nothing.
        case readOnly
        /// Reads as zeros.
        case writeOnly
        /// Each one that is written clears its bit, as in registers of interrupt flags.
        case writeOneToClear
        /// What was read is zero afterwards.
        case readToClear
    }

    /// What follows from a write, besides the new value.
    public typealias Effect = @Sendable (_ registers: inout RegisterFile, _ value: Int) -> Void

    public let name: String
    /// As it stands on the wire.
    public let number: Int
    /// How many bytes it has, 1 to 4.
    public let width: Int
    /// Which of its bytes comes first.
    public let order: ByteOrder
    public let access: Access
    /// What it holds after power-on.
    public let reset: Int
    let onWrite: Effect?
    let onRead: (@Sendable (inout RegisterFile) -> Void)?

    /// `onWrite` is called once it holds what a transfer has written to it, with the bits that were sent; `onRead`
    /// before its first byte is read. A width outside 1 to 4 bytes counts as the nearest.
    public init(
        _ name: String, at number: Int, bytes width: Int = 1, _ access: Access = .readWrite,
        order: ByteOrder = .bigEndian, reset: Int = 0, onWrite: Effect? = nil,
        onRead: (@Sendable (inout RegisterFile) -> Void)? = nil
    ) {
        self.name = name
        self.number = number
        self.width = min(max(width, 1), 4)
        self.order = order
        self.access = access
        self.reset = reset
        self.onWrite = onWrite
        self.onRead = onRead
    }

    /// The bytes of a value in the order of the wire; what does not fit is cut off, so that a negative one becomes its
    /// two's complement.
    func bytes(of value: Int) -> [UInt8] {
        let littleEndian = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return order == .littleEndian ? littleEndian : littleEndian.reversed()
    }

    func value(of bytes: [UInt8]) -> Int {
        (order == .bigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// How the numbers of registers lie.
public enum RegisterNumbering: Sendable, Hashable {
    /// Each byte has a number: a register of two takes two of them, and who reads or writes on comes to the next
    /// register, as in most sensors and clocks.
    case bytes
    /// Each register has a number, whatever its width: who reads on reads it again, as in many thermometers and
    /// power monitors.
    case registers
}
