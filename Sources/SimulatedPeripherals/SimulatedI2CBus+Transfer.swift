import DeviceRuntime
import Peripherals

extension SimulatedI2CBus {
    private enum Ending {
        case acknowledged
        case missing
        case timeout
    }

    /// Runs a transfer when its turn has come, and takes the time it takes. `begin` may refuse at that moment.
    func run(
        _ transfer: SimulatedI2CTransfer, at address: I2CAddress, begin: () throws -> Void
    ) async throws -> [[UInt8]] {
        do {
            let bytes = try await move(transfer, at: address, begin: begin)
            state.withLock { $0.health.note(nil, of: address, at: loop.now) }
            return bytes
        } catch let error as PeripheralError {
            let health = state.withLock { state in
                state.health.note(error.code, of: address, at: loop.now)
                return state.health
            }
            throw error.code == .timedOut ? health.report(error, at: loop.now) : error
        }
    }

    private func move(
        _ transfer: SimulatedI2CTransfer, at address: I2CAddress, begin: () throws -> Void
    ) async throws -> [[UInt8]] {
        let now = loop.now
        let (start, end, ending) = state.withLock { state in
            let (time, ending) = Self.course(of: transfer, at: address, state)
            let start = max(state.busyUntil, now)
            state.busyUntil = start + time
            return (start, state.busyUntil, ending)
        }
        if start > now { try await loop.passBusTime(until: start) }
        try begin()
        try await loop.passBusTime(until: end)
        switch ending {
        case .timeout:
            trace.recordWire(name, "\(address) timed out")
            throw PeripheralError(.timedOut, "\(name) \(address) timed out", cause: "ETIMEDOUT (110)")
        case .acknowledged:
            // It may have been unplugged meanwhile.
            if let target = state.withLock({ $0.targets[address] ?? $0.everywhere }) {
                return try exchange(transfer, with: target, at: address)
            }
        case .missing: break
        }
        trace.recordWire(name, "\(address) no acknowledgement")
        let isRaw = conditions.functionality.contains(.rawMessages)
        throw PeripheralError(
            .noAcknowledge, "\(name) \(address) did not acknowledge", cause: isRaw ? "ENXIO (6)" : "ENODEV (19)",
            advice: "check its power, its wiring and its address")
    }

    /// How long it takes and how it ends. Nine clocks a byte (UM10204 section 3.1.5), and the address is a byte too.
    private static func course(
        of transfer: SimulatedI2CTransfer, at address: I2CAddress, _ state: State
    ) -> (Duration, Ending) {
        let conditions = state.conditions
        if conditions.isStuck || conditions.clockStretch > conditions.timeout { return (conditions.timeout, .timeout) }
        let byte = conditions.speed.period * 9
        let addressBytes = address.isTenBit ? 2 : 1
        guard state.targets[address] ?? state.everywhere != nil else { return (byte * addressBytes, .missing) }
        let count = transfer.messages.reduce(0) { $0 + addressBytes + $1.count }
        return (byte * count + conditions.clockStretch, .acknowledged)
    }

    private func exchange(
        _ transfer: SimulatedI2CTransfer, with target: any SimulatedI2CTarget, at address: I2CAddress
    ) throws -> [[UInt8]] {
        // An address alone moves nothing.
        if transfer.isQuick { return [] }
        for case .write(let bytes) in transfer.messages { trace.recordWire(name, "\(address) write \(hex(bytes))") }
        do {
            let read = try transfer.result(of: try target.transfer(transfer.messages), from: address, on: name)
            for bytes in read { trace.recordWire(name, "\(address) read \(hex(bytes))") }
            return read
        } catch let error as PeripheralError where [.noAcknowledge, .dataNotAcknowledged].contains(error.code) {
            trace.recordWire(name, "\(address) refused")
            throw PeripheralError(
                .dataNotAcknowledged, "\(name) \(address) did not acknowledge a byte", cause: "EIO (5)",
                advice: "it is there and refuses: it may be busy, or have no such register")
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
