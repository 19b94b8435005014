/// A serial port.
///
/// Nothing blocks the loop: a call that has to wait is suspended. From any task; a call on a closed port throws
/// ``PeripheralError/Code/closed``, and so does one that waits while the port is closed. A port that is
/// unplugged throws `io` from then on. Closing more than once is harmless.
public protocol SerialPort: AnyObject, Sendable {
    /// The port's name on its board, or the path by which it was opened: `SERIAL0`, `/dev/ttyUSB0`.
    var name: String { get }

    /// Waits for something to arrive, and returns what is there. Throws `timedOut` when nothing arrives within
    /// `timeout`; without one it waits as long as it takes.
    ///
    /// One reader at a time: a second one throws `busy`.
    func read(timeout: Duration?) async throws -> SerialInput

    /// Hands the bytes over for sending, and returns when the kernel has taken the last one, which waits while
    /// its buffer is full or the other end holds the line (see ``SerialConfiguration/FlowControl``).
    ///
    /// One writer at a time: a second one throws `busy`. A write that is cancelled has sent a part.
    func write(_ bytes: [UInt8]) async throws

    /// Waits until everything that was written has left the kernel's buffer. (What the port's own hardware still
    /// holds, a few bytes as a rule, is on its way then.)
    func drain() async throws

    /// Gives the port back at once. What was not sent by then is dropped: ``drain()`` first.
    func close()
}

/// Something that came in on a serial port, in the order in which it came.
public enum SerialInput: Sendable, Hashable {
    /// Never empty.
    case bytes([UInt8])
    /// A byte that arrived with wrong parity or without its stop bit: noise, or another baud rate.
    case damagedByte(UInt8)
    /// The line was held low for longer than a byte takes.
    case lineBreak
    /// Bytes were lost at this place because nobody fetched them in time. Told where the port's driver counts
    /// them; many USB adapters do not.
    case overrun
}

/// How to open a serial port. The port is raw: bytes are neither translated nor interpreted.
public struct SerialConfiguration: Sendable, Hashable {
    public enum DataBits: Int, Sendable, Hashable, CaseIterable {
        case five = 5
        case six
        case seven
        case eight
    }

    public enum Parity: Sendable, Hashable, CaseIterable {
        case none
        case even
        case odd
    }

    public enum StopBits: Int, Sendable, Hashable, CaseIterable {
        case one = 1
        case two
    }

    /// How either end says that it can take no more.
    public enum FlowControl: Sendable, Hashable, CaseIterable {
        case none
        /// The lines RTS and CTS.
        case rtsCTS
        /// The bytes 0x13 (stop) and 0x11 (go on), which then cannot be data.
        case xonXOFF
    }

    /// Bits per second. Any number that the port's clock can make, not only the customary ones.
    public var baudRate: Int
    public var dataBits: DataBits
    public var parity: Parity
    public var stopBits: StopBits
    public var flowControl: FlowControl

    public init(
        baudRate: Int, dataBits: DataBits = .eight, parity: Parity = .none, stopBits: StopBits = .one,
        flowControl: FlowControl = .none
    ) {
        self.baudRate = baudRate
        self.dataBits = dataBits
        self.parity = parity
        self.stopBits = stopBits
        self.flowControl = flowControl
    }

    /// How long one byte takes on the wire, with its start, parity and stop bits.
    public var byteTime: Duration {
        let bits = 1 + dataBits.rawValue + (parity == .none ? 0 : 1) + stopBits.rawValue
        return .seconds(1) * bits / max(baudRate, 1)
    }
}
