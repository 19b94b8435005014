import DeviceRuntime
import Peripherals

extension SimulatedI2CBus {
    enum Ending {
        case acknowledged
        /// Nobody acknowledges the address.
        case missing
        /// The part does not acknowledge a byte.
        case refused
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
        let (start, end, ending, effects) = state.withLock { state in
            let effects = state.takeFaults(of: transfer, at: address)
            let turn = max(state.busyUntil, now)
            let (wait, time, ending) = Self.course(of: transfer, at: address, effects, from: turn, state)
            state.busyUntil = turn + wait + time
            return (turn + wait, state.busyUntil, ending, effects)
        }
        if start > now { try await loop.passBusTime(until: start) }
        try begin()
        try await loop.passBusTime(until: end)
        for _ in 0..<effects.interruptions { trace.recordWire(name, "\(address) interrupted (EINTR), made again") }
        switch ending {
        case .timeout:
            trace.recordWire(name, "\(address) timed out")
            throw PeripheralError(.timedOut, "\(name) \(address) timed out", cause: "ETIMEDOUT (110)")
        case .acknowledged:
            // It may have been unplugged meanwhile.
            if let target = state.withLock({ $0.target(at: address) }) {
                return try exchange(transfer, with: target, at: address, effects)
            }
        case .refused: throw refusal(at: address)
        case .missing: break
        }
        trace.recordWire(name, "\(address) no acknowledgement")
        let isRaw = conditions.functionality.contains(.rawMessages)
        throw PeripheralError(
            .noAcknowledge, "\(name) \(address) did not acknowledge", cause: isRaw ? "ENXIO (6)" : "ENODEV (19)",
            advice: "check its power, its wiring and its address")
    }

    /// How long it waits, how long it takes and how it ends, if its turn is at `start`. Nine clocks a byte (UM10204
    /// section 3.1.5), and the address is a byte too.
    private static func course(
        of transfer: SimulatedI2CTransfer, at address: I2CAddress, _ effects: I2CFaultEffects, from start: Duration,
        _ state: State
    ) -> (wait: Duration, time: Duration, Ending) {
        let conditions = state.conditions
        let wait = max(conditions.heldUntil - start, .zero)
        let stretch = conditions.clockStretch + effects.stretch
        if conditions.isStuck || wait > conditions.timeout { return (.zero, conditions.timeout, .timeout) }
        if stretch > conditions.timeout { return (wait, conditions.timeout, .timeout) }
        let byte = conditions.speed.period * 9
        let addressBytes = address.isTenBit ? 2 : 1
        guard state.target(at: address) != nil, effects.ending != .missing else {
            return (wait, byte * addressBytes, .missing)
        }
        let count = transfer.messages.reduce(0) { $0 + addressBytes + $1.count }
        let time = byte * count * (1 + effects.interruptions) + stretch
        return (wait, time, effects.ending ?? .acknowledged)
    }

    private func exchange(
        _ transfer: SimulatedI2CTransfer, with target: any SimulatedI2CTarget, at address: I2CAddress,
        _ effects: I2CFaultEffects
    ) throws -> [[UInt8]] {
        // An address alone moves nothing.
        if transfer.isQuick { return [] }
        let reads = transfer.messages.contains { if case .read = $0 { true } else { false } }
        var messages = transfer.messages
        if !reads {
            // What only writes is damaged on its way to the part, anything else on its way back.
            messages = messages.map { if case .write(let bytes) = $0 { .write(effects.flipping(bytes)) } else { $0 } }
        }
        for case .write(let bytes) in messages { trace.recordWire(name, "\(address) write \(hex(bytes))") }
        if effects.flipsBits { trace.recordWire(name, "\(address) bits flipped") }
        do {
            let answers = try target.transfer(messages).map { reads ? effects.flipping($0) : $0 }
            let read = try transfer.result(of: answers, from: address, on: name)
            for bytes in read { trace.recordWire(name, "\(address) read \(hex(bytes))") }
            return read
        } catch let error as PeripheralError where [.noAcknowledge, .dataNotAcknowledged].contains(error.code) {
            throw refusal(at: address)
        }
    }

    private func refusal(at address: I2CAddress) -> PeripheralError {
        trace.recordWire(name, "\(address) refused")
        return PeripheralError(
            .dataNotAcknowledged, "\(name) \(address) did not acknowledge a byte", cause: "EIO (5)",
            advice: "it is there and refuses: it may be busy, or have no such register")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
