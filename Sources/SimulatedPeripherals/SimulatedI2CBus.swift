import DeviceRuntime
public import Peripherals

/// A part on a simulated I2C bus. A byte that it does not take is not acknowledged: throw
/// ``PeripheralError/Code/noAcknowledge``.
public protocol SimulatedI2CTarget: AnyObject, Sendable {
    /// The bytes of one write transfer.
    func write(_ bytes: [UInt8]) throws
    /// The bytes of one read transfer.
    func read(count: Int) throws -> [UInt8]
}

/// An I2C bus at 100 kHz. Transfers follow each other and take the time that they would take on the wire.
public final class SimulatedI2CBus: Sendable {
    private struct State {
        var targets: [I2CAddress: any SimulatedI2CTarget] = [:]
        var owners: [I2CAddress: Ownership] = [:]
        var busyUntil: Duration = .zero
    }

    public let name: String
    private let loop: EventLoop
    private let trace: Trace
    private let state = Protected(State())

    /// Nine clocks a byte (UM10204 section 3.1.5), and the address is a byte too.
    private static let timePerByte: Duration = .microseconds(90)

    init(name: String, loop: EventLoop, trace: Trace) {
        self.name = name
        self.loop = loop
        self.trace = trace
    }

    /// Connects a part; replaces one at the same address.
    public func attach(_ target: any SimulatedI2CTarget, at address: I2CAddress) {
        state.withLock { $0.targets[address] = target }
    }

    /// Unplugs the part at `address`.
    public func detach(_ address: I2CAddress) { state.withLock { $0.targets[address] = nil } }

    func openDevice(_ address: I2CAddress, consumer: String) throws -> any I2CDevice {
        let owner = state.withLock { state in
            let owner = state.owners[address] ?? Ownership(of: "\(name) \(address)")
            state.owners[address] = owner
            return owner
        }
        return SimulatedI2CDevice(bus: self, address: address, owner: owner, opening: try owner.take(by: consumer))
    }

    /// One transfer: a write, a read, or both with a repeated start between them.
    fileprivate func transfer(to address: I2CAddress, write: [UInt8]?, readCount: Int?) async throws -> [UInt8] {
        let byteCount = (write.map { $0.count + 1 } ?? 0) + (readCount.map { $0 + 1 } ?? 0)
        let end = state.withLock { state in
            state.busyUntil = max(state.busyUntil, loop.now) + Self.timePerByte * byteCount
            return state.busyUntil
        }
        try await loop.sleep(until: end)
        guard let target = state.withLock({ $0.targets[address] }) else {
            trace.recordWire(name, "\(address) no acknowledgement")
            throw PeripheralError(
                .noAcknowledge, "nothing answers at \(name) address \(address)", cause: "ENXIO (6)",
                advice: "check its power, its wiring and its address")
        }
        if let write {
            trace.recordWire(name, "\(address) write \(hex(write))")
            try target.write(write)
        }
        guard let readCount else { return [] }
        let bytes = try target.read(count: readCount)
        trace.recordWire(name, "\(address) read \(hex(bytes))")
        return bytes
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}

private final class SimulatedI2CDevice: I2CDevice {
    let bus: SimulatedI2CBus
    let address: I2CAddress
    let owner: Ownership
    let opening: UInt64

    var busName: String { bus.name }

    init(bus: SimulatedI2CBus, address: I2CAddress, owner: Ownership, opening: UInt64) {
        self.bus = bus
        self.address = address
        self.owner = owner
        self.opening = opening
    }

    deinit { close() }

    func write(_ bytes: [UInt8]) async throws { _ = try await transfer(write: bytes, readCount: nil) }
    func read(count: Int) async throws -> [UInt8] { try await transfer(write: nil, readCount: count) }
    func writeRead(_ bytes: [UInt8], count: Int) async throws -> [UInt8] {
        try await transfer(write: bytes, readCount: count)
    }
    func close() { _ = owner.release(opening) }

    private func transfer(write: [UInt8]?, readCount: Int?) async throws -> [UInt8] {
        try owner.check(opening)
        return try await bus.transfer(to: address, write: write, readCount: readCount)
    }
}
