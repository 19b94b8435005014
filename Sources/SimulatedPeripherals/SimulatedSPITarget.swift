import DeviceRuntime
public import Peripherals

/// A part on a simulated SPI target: a stream of bytes between edges of its chip select.
public protocol SimulatedSPIPart: AnyObject, Sendable {
    /// Chip select became active.
    func select()
    /// The bytes of one segment; it answers as many. What is missing reads as zeros.
    func exchange(_ bytes: [UInt8]) -> [UInt8]
    /// Chip select became inactive.
    func deselect()
}

/// An SPI target: what it answers is up to the part; without one MISO is pulled low and reads zeros, without
/// an error, as on the wire.
public final class SimulatedSPITarget: Sendable {
    /// What the controller and its driver can do.
    public struct Controller: Sendable {
        /// spidev's `bufsiz`, as the kernel comes.
        public var largestTransfer = 4096
        /// A bit-banged controller takes all, a Raspberry Pi's 8 only.
        public var wordSizes: ClosedRange<Int> = 1...32
        /// A bit-banged controller takes the least significant bit first, a Raspberry Pi's refuses it.
        public var takesBitOrder = true
    }

    private struct State {
        var controller = Controller()
        var part: (any SimulatedSPIPart)?
        var transfers: [[UInt8]] = []
        var selections: [[UInt8]] = []
        var isSelected = false
        var lastBit = Level.low
        /// The part has neither contact nor power.
        var isLoose = false
        var faults = FaultTable<SPIFault>()
    }

    public let name: String
    private let loop: EventLoop
    private let trace: Trace
    /// Who has it open.
    public let ownership: Ownership
    /// Of the bus, which its targets share.
    private let busyUntil: Protected<Duration>
    private let state = Protected(State())

    init(name: String, loop: EventLoop, trace: Trace, busyUntil: Protected<Duration>) {
        self.name = name
        self.busyUntil = busyUntil
        self.loop = loop
        self.trace = trace
        ownership = Ownership(of: name)
    }

    /// What is connected.
    public var part: (any SimulatedSPIPart)? { state.withLock { $0.part } }

    /// Connects a part.
    public func attach(_ part: any SimulatedSPIPart) { state.withLock { $0.part = part } }

    /// Connects a part that does not care for chip select: it is given what the controller sends, and answers as many
    /// bytes.
    public func attach(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]) { attach(AnsweringPart(answer)) }

    /// Unplugs the part, or plugs it in again. Without one MISO reads zeros.
    public func setConnected(_ isConnected: Bool) {
        state.withLock { $0.isLoose = !isConnected }
        trace.recordWire(name, isConnected ? "connected" : "disconnected")
    }

    /// Brings about a fault of what is read from now on, until what is returned is called.
    @discardableResult
    public func inject(_ fault: SPIFault) -> EndOfFault {
        let number = state.withLock { $0.faults.add(fault) }
        return { [self] in state.withLock { $0.faults.remove(number) } }
    }

    /// Changes what the controller can do, for who opens the target afterwards.
    public func setController(_ change: (inout Controller) -> Void) { state.withLock { change(&$0.controller) } }

    /// What the program sent, one entry a segment.
    public var transfers: [[UInt8]] { state.withLock { $0.transfers } }

    /// What the program sent, one entry for each time that chip select was active.
    public var selections: [[UInt8]] { state.withLock { $0.selections } }

    /// What MOSI was left at: the last bit that was sent.
    public var lastBit: Level { state.withLock { $0.lastBit } }

    func open(_ configuration: SPIConfiguration, consumer: String) throws -> any SPIDevice {
        let controller = state.withLock { $0.controller }
        _ = try configuration.checkedHertz(for: name)
        guard controller.wordSizes.contains(configuration.wordSize) else {
            throw PeripheralError(
                .unsupported, "\(name) cannot be used with words of \(configuration.wordSize) bits",
                cause: "EINVAL (22)")
        }
        return SimulatedSPIDevice(
            target: self, configuration, controller, opening: try ownership.take(by: consumer, sharing: configuration))
    }

    /// Takes the bus for the time of all messages.
    func run(
        _ plan: SPIPlan, _ segments: [SPISegment], _ device: SimulatedSPIDevice
    ) async throws -> [[UInt8]] {
        let now = loop.now
        let time = plan.messages.joined().reduce(Duration.zero) { time, piece in
            time + .seconds(1) / Double(piece.hertz) * (8 * piece.bytes.count) + .microseconds(piece.delayMicroseconds)
        }
        let (start, end) = busyUntil.withLock { busyUntil in
            let start = max(busyUntil, now)
            busyUntil = start + time
            return (start, busyUntil)
        }
        if start > now { try await loop.passBusTime(until: start) }
        try ownership.check(device.opening)
        try await loop.passBusTime(until: end)
        var reads = segments.map { segment -> [UInt8]? in if case .write = segment.content { nil } else { [] } }
        for message in plan.messages {
            try checkBuffer(message, segments, device)
            for (index, piece) in message.enumerated() {
                let sent = bytes(of: piece, segments, device)
                let answer = exchange(sent, device)
                reads[piece.segment]? +=
                    device.reversesBitsInSoftware ? device.configuration.reversingBits(answer) : answer
                let isLast = index == message.count - 1
                if piece.changesSelect != isLast { release() }
            }
        }
        return reads.compactMap { $0 }
    }

    /// Who has it open.
    var holder: String? { ownership.holder }

    func check(_ opening: UInt64) throws { try ownership.check(opening) }

    func close(_ opening: UInt64) { _ = ownership.release(opening) }

    /// As spidev: sent and received bytes of a message each have to fit.
    private func checkBuffer(_ message: [SPIPlan.Piece], _ segments: [SPISegment], _ device: SimulatedSPIDevice) throws
    {
        var sent = 0
        var received = 0
        for piece in message {
            switch segments[piece.segment].content {
            case .exchange:
                sent += piece.bytes.count
                received += piece.bytes.count
            case .write: sent += piece.bytes.count
            case .read: received += piece.bytes.count
            }
        }
        guard max(sent, received) <= device.largestTransfer, message.count <= SPIPlan.mostSegments else {
            throw PeripheralError(
                .invalidArgument, "\(name): the transfer does not fit in spidev's buffer", cause: "EMSGSIZE (90)")
        }
    }

    private func bytes(of piece: SPIPlan.Piece, _ segments: [SPISegment], _ device: SimulatedSPIDevice) -> [UInt8] {
        switch segments[piece.segment].content {
        case .exchange(let bytes), .write(let bytes):
            let bytes = Array(bytes[piece.bytes])
            return device.reversesBitsInSoftware ? device.configuration.reversingBits(bytes) : bytes
        case .read: return [UInt8](repeating: 0, count: piece.bytes.count)
        }
    }

    private func exchange(_ bytes: [UInt8], _ device: SimulatedSPIDevice) -> [UInt8] {
        let (part, isNew) = state.withLock { state in
            let isNew = !state.isSelected
            state.isSelected = true
            state.transfers.append(bytes)
            if isNew { state.selections.append([]) }
            state.selections[state.selections.count - 1] += bytes
            state.lastBit = device.lastBit(of: bytes)
            return (state.isLoose ? nil : state.part, isNew)
        }
        if isNew { part?.select() }
        let answer = damaged(part?.exchange(bytes) ?? [])
        trace.recordWire(name, "\(bytes.count) bytes")
        let complete = Array((answer + [UInt8](repeating: 0, count: bytes.count)).prefix(bytes.count))
        return device.configuration.maskingWords(complete)
    }

    private func damaged(_ answer: [UInt8]) -> [UInt8] {
        state.withLock { state in
            var answer = answer
            state.faults.forEach { $0.damage(&answer) }
            return answer
        }
    }

    private func release() {
        let part = state.withLock { state in
            state.isSelected = false
            return state.isLoose ? nil : state.part
        }
        part?.deselect()
    }
}

private final class AnsweringPart: SimulatedSPIPart {
    private let answer: @Sendable ([UInt8]) -> [UInt8]

    init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.answer = answer }

    func select() {}
    func exchange(_ bytes: [UInt8]) -> [UInt8] { answer(bytes) }
    func deselect() {}
}
