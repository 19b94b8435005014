import DeviceRuntime
public import Peripherals

/// A serial port and its wire, seen from the far end: what is connected to it, or a test.
///
/// Both directions take the time of the baud rate with which the program has opened the port; while it is closed,
/// what is sent is lost.
public final class SimulatedSerialPort: Sendable {
    public let name: String
    let loop: EventLoop
    private let trace: Trace
    /// Who has it open.
    public let ownership: Ownership
    private let state = Protected(SimulatedSerialState())

    init(name: String, loop: EventLoop, trace: Trace) {
        self.name = name
        self.loop = loop
        self.trace = trace
        ownership = Ownership(of: "serial port \(name)")
    }

    // MARK: The far end

    /// What the program has sent so far, as it has arrived.
    public var received: [UInt8] { state.withLock { $0.received } }

    /// Calls `watcher` with what arrives, for a part that hangs on this wire.
    public func watch(_ watcher: @escaping @Sendable ([UInt8]) -> Void) {
        state.withLock { $0.watchers.append(watcher) }
    }

    /// Sends, behind what is being sent already.
    public func send(_ bytes: [UInt8]) { send(.bytes(bytes)) }

    /// Sends, with what a wire does to bytes. (``SerialInput/overrun`` is not on the wire: it comes of sending more
    /// than is read.)
    public func send(_ input: SerialInput) {
        state.withLock { $0.enqueue(input) }
        pumpIn()
    }

    /// Pulls the far end off the wires, or connects it again: meanwhile nothing arrives on either side.
    public func setConnected(_ isConnected: Bool) {
        state.withLock { $0.isLoose = !isConnected }
        trace.recordWire(name, isConnected ? "connected" : "disconnected")
    }

    /// Whether the far end can take more: the line CTS, which counts with flow control by it.
    public func setClearToSend(_ isClear: Bool) {
        state.withLock { $0.isClearToSend = isClear }
        pumpOut()
    }

    /// Takes the port away, as an adapter that is pulled out.
    public func unplug() {
        state.withLock { state in
            state.isPlugged = false
            state.dropTraffic()
            state.wakeAll()
        }
        trace.recordWire(name, "unplugged")
    }

    /// Puts it back; who had it open has to open it again.
    public func plugIn() { state.withLock { $0.isPlugged = true } }

    /// Makes the port refuse what its driver cannot do, such as a parity.
    public func limit(to isSupported: @escaping @Sendable (SerialConfiguration) -> Bool) {
        state.withLock { $0.isSupported = isSupported }
    }

    // MARK: The program's side

    func open(_ configuration: SerialConfiguration, consumer: String) throws -> any SerialPort {
        guard configuration.baudRate > 0 else {
            throw PeripheralError(
                .invalidArgument, "\(name): a baud rate of \(configuration.baudRate) is out of range",
                advice: "choose one above zero, such as 9600")
        }
        guard state.withLock({ $0.isPlugged }) else {
            throw PeripheralError(.notFound, "\(name): it is unplugged", advice: "plug it in")
        }
        guard state.withLock({ $0.isSupported })(configuration) else {
            throw PeripheralError(
                .unsupported, "\(name) cannot do these settings", advice: "choose what it can do, or another port")
        }
        let opening = try ownership.take(by: consumer)
        state.withLock { $0.begin(configuration, opening) }
        return SimulatedSerialOpening(port: self, opening: opening, loop: loop)
    }

    /// What `body` makes of the state for this opening. Throws `closed`, and `io` once the port was unplugged.
    func access<Value>(_ opening: UInt64, _ body: (inout SimulatedSerialState) throws -> Value) throws -> Value {
        try ownership.check(opening)
        return try state.withLock { state in
            guard state.isUsable(opening) else {
                throw PeripheralError(
                    .io, "\(name) was unplugged", cause: "EIO (5)", advice: "plug it in and open it again")
            }
            return try body(&state)
        }
    }

    func close(_ opening: UInt64) {
        guard ownership.release(opening) else { return }
        state.withLock { state in
            state.end()
            state.wakeAll()
        }
    }

    // MARK: The wire

    /// Lets the next bytes go out if none are on their way.
    func pumpOut() {
        guard let (bytes, opening, time) = state.withLock({ $0.beginSending() }) else { return }
        loop.schedule(after: time) { [self] in
            let watchers = state.withLock { $0.finishSending(bytes, opening) }
            if let watchers {
                trace.recordWire(name, "sent \(hexadecimal(bytes))")
                for watcher in watchers { watcher(bytes) }
            }
            pumpOut()
        }
    }

    /// Lets the next of the far end's bytes come in if none are on their way.
    func pumpIn() {
        guard let (input, opening, time) = state.withLock({ $0.beginReceiving() }) else { return }
        loop.schedule(after: time) { [self] in
            if state.withLock({ $0.finishReceiving(input, opening) }) { trace.recordWire(name, "got \(input)") }
            pumpIn()
            pumpOut()
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
