import DeviceRuntime
import Peripherals

/// A simulated port's buffers, and what is on the wire.
struct SimulatedSerialState {
    /// What a port's driver and the terminal layer hold in each direction: the kernel's `N_TTY_BUF_SIZE`.
    static let bufferSize = 4096
    /// Bytes that go over the wire in one step of the simulation: what a usual port's hardware holds.
    private static let stepSize = 16

    // The far end's.
    var received: [UInt8] = []
    var watchers: [@Sendable ([UInt8]) -> Void] = []
    var isClearToSend = true
    var isPlugged = true
    /// The far end has no contact with the wires.
    var isLoose = false
    var isSupported: @Sendable (SerialConfiguration) -> Bool = { _ in true }
    private var outside: [SerialInput] = []
    private var isReceiving = false

    // The opening's.
    private var configuration: SerialConfiguration?
    private var opening: UInt64 = 0
    private var unsent: [UInt8] = []
    private var isSending = false
    /// The far end has sent the stop byte of ``SerialConfiguration/FlowControl/xonXOFF``.
    private var isStopped = false
    private var arrived: [SerialInput] = []
    private var arrivedCount = 0
    private var waiters: [Waiter] = []

    mutating func begin(_ configuration: SerialConfiguration, _ opening: UInt64) {
        end()
        self.configuration = configuration
        self.opening = opening
    }

    mutating func end() {
        configuration = nil
        dropTraffic()
        isStopped = false
    }

    mutating func dropTraffic() {
        outside = []
        unsent = []
        arrived = []
        arrivedCount = 0
        if !isPlugged { configuration = nil }
    }

    /// Whether the port that was opened then is still there.
    func isUsable(_ opening: UInt64) -> Bool { configuration != nil && self.opening == opening }

    // MARK: The program's calls

    mutating func takeArrived() -> SerialInput? {
        guard let first = arrived.first else { return nil }
        arrived.removeFirst()
        if case .bytes(let bytes) = first { arrivedCount -= bytes.count }
        return first
    }

    /// Takes as many of the bytes as there is room for.
    mutating func accept(_ bytes: ArraySlice<UInt8>) -> Int {
        let count = min(bytes.count, Self.bufferSize - unsent.count)
        unsent += bytes.prefix(count)
        return count
    }

    var hasUnsent: Bool { !unsent.isEmpty || isSending }

    /// The waiter is woken by the next thing that changes.
    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func wakeAll() {
        for waiter in waiters { waiter.finish() }
        waiters = []
    }

    // MARK: Out

    mutating func beginSending() -> (bytes: [UInt8], opening: UInt64, time: Duration)? {
        guard let configuration, !isSending, !unsent.isEmpty, !isStopped else { return nil }
        if configuration.flowControl == .rtsCTS && !isClearToSend { return nil }
        let bytes = Array(unsent.prefix(Self.stepSize))
        unsent.removeFirst(bytes.count)
        isSending = true
        return (bytes, opening, configuration.byteTime * bytes.count)
    }

    /// The watchers to call, unless the port was closed or unplugged meanwhile.
    mutating func finishSending(_ bytes: [UInt8], _ opening: UInt64) -> [@Sendable ([UInt8]) -> Void]? {
        isSending = false
        guard isUsable(opening) else { return nil }
        if isLoose {
            wakeAll()
            return nil
        }
        received += bytes
        wakeAll()
        return watchers
    }

    // MARK: In

    mutating func enqueue(_ input: SerialInput) {
        guard configuration != nil, !isLoose else { return }
        switch input {
        case .bytes(let bytes):
            for start in stride(from: 0, to: bytes.count, by: Self.stepSize) {
                outside.append(.bytes(Array(bytes[start..<min(start + Self.stepSize, bytes.count)])))
            }
        case .damagedByte, .lineBreak: outside.append(input)
        case .overrun: break
        }
    }

    mutating func beginReceiving() -> (input: SerialInput, opening: UInt64, time: Duration)? {
        guard let configuration, !isReceiving, let input = outside.first else { return nil }
        // With flow control the far end is told to wait while there is no room.
        if configuration.flowControl != .none, arrivedCount + Self.stepSize > Self.bufferSize { return nil }
        outside.removeFirst()
        isReceiving = true
        let count = if case .bytes(let bytes) = input { bytes.count } else { 1 }
        return (input, opening, configuration.byteTime * count)
    }

    /// Returns whether it arrived.
    mutating func finishReceiving(_ input: SerialInput, _ opening: UInt64) -> Bool {
        isReceiving = false
        guard let configuration, isUsable(opening) else { return false }
        switch input {
        case .bytes(let bytes) where configuration.flowControl == .xonXOFF:
            // As the terminal layer does: these two are signs, and do not arrive.
            for byte in bytes where byte == 0x13 || byte == 0x11 { isStopped = byte == 0x13 }
            arrive(bytes.filter { $0 != 0x13 && $0 != 0x11 })
        case .bytes(let bytes): arrive(bytes)
        case .damagedByte, .lineBreak, .overrun: arrived.append(input)
        }
        wakeAll()
        return true
    }

    private mutating func arrive(_ bytes: [UInt8]) {
        let taken = bytes.prefix(Self.bufferSize - arrivedCount)
        arrivedCount += taken.count
        if case .bytes(let earlier) = arrived.last {
            arrived[arrived.count - 1] = .bytes(earlier + taken)
        } else if !taken.isEmpty {
            arrived.append(.bytes(Array(taken)))
        }
        if taken.count < bytes.count, arrived.last != .overrun { arrived.append(.overrun) }
    }
}
