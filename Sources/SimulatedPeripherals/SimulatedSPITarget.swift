import DeviceRuntime
import Peripherals

/// An SPI target: what it answers is up to the part; without one MISO is pulled low and reads zeros, without
/// an error, as on the wire.
public final class SimulatedSPITarget: Sendable {
    private struct State {
        var part: (@Sendable ([UInt8]) -> [UInt8])?
        var transfers: [[UInt8]] = []
    }

    public let name: String
    private let loop: EventLoop
    private let trace: Trace
    private let ownership: Ownership
    private let state = Protected(State())

    /// spidev's `bufsiz`, as the kernel comes.
    private static let maximumTransfer = 4096

    init(name: String, loop: EventLoop, trace: Trace) {
        self.name = name
        self.loop = loop
        self.trace = trace
        ownership = Ownership(of: "SPI target \(name)")
    }

    /// Connects a part: it is given what the controller sends, and answers as many bytes.
    public func attach(_ part: @escaping @Sendable ([UInt8]) -> [UInt8]) { state.withLock { $0.part = part } }

    /// What the program sent, one entry a transfer.
    public var transfers: [[UInt8]] { state.withLock { $0.transfers } }

    func open(_ configuration: SPIConfiguration, consumer: String) throws -> any SPIDevice {
        SimulatedSPIDevice(
            target: self, speed: configuration.maximumSpeed, opening: try ownership.take(by: consumer))
    }

    fileprivate func transfer(_ bytes: [UInt8], _ speed: Frequency, _ opening: UInt64) async throws -> [UInt8] {
        try ownership.check(opening)
        guard bytes.count <= Self.maximumTransfer else {
            throw PeripheralError(
                .invalidArgument, "\(name) takes \(Self.maximumTransfer) bytes in one transfer, not \(bytes.count)",
                cause: "EMSGSIZE (90)", advice: "split it, or raise spidev's bufsiz")
        }
        try await loop.sleep(for: speed.period * (8 * bytes.count))
        let part = state.withLock { state in
            state.transfers.append(bytes)
            return state.part
        }
        let answer = part?(bytes) ?? []
        trace.recordWire(name, "\(bytes.count) bytes")
        return Array((answer + [UInt8](repeating: 0, count: bytes.count)).prefix(bytes.count))
    }

    fileprivate func close(_ opening: UInt64) { _ = ownership.release(opening) }
}

private final class SimulatedSPIDevice: SPIDevice {
    let target: SimulatedSPITarget
    let speed: Frequency
    let opening: UInt64

    var name: String { target.name }

    init(target: SimulatedSPITarget, speed: Frequency, opening: UInt64) {
        self.target = target
        self.speed = speed
        self.opening = opening
    }

    deinit { close() }

    func transfer(_ bytes: [UInt8]) async throws -> [UInt8] { try await target.transfer(bytes, speed, opening) }
    func close() { target.close(opening) }
}
