internal import Peripherals

/// Reads the kernel's marks in what a serial port delivers (termios(3), `PARMRK`): 0xFF 0xFF is the byte 0xFF,
/// 0xFF 0x00 0x00 a break, and 0xFF 0x00 X the damaged byte X.
struct SerialMarks {
    private enum State {
        case bytes
        /// After 0xFF.
        case mark
        /// After 0xFF 0x00.
        case damaged
    }

    private var state = State.bytes

    /// A mark may be cut in two by the end of a read.
    mutating func decode(_ raw: some Sequence<UInt8>) -> [SerialInput] {
        var inputs: [SerialInput] = []
        var bytes: [UInt8] = []
        func flushed() -> [SerialInput] { bytes.isEmpty ? inputs : inputs + [.bytes(bytes)] }
        for byte in raw {
            switch state {
            case .bytes where byte == 0xFF: state = .mark
            case .bytes: bytes.append(byte)
            case .mark where byte == 0x00: state = .damaged
            case .mark:
                bytes.append(byte)
                state = .bytes
            case .damaged:
                inputs = flushed() + [byte == 0x00 ? .lineBreak : .damagedByte(byte)]
                bytes = []
                state = .bytes
            }
        }
        return flushed()
    }
}
