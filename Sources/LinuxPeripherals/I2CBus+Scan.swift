internal import CI2C
internal import DeviceRuntime
internal import Peripherals

extension I2CBus {
    /// Asks every address. Each is a piece of work of its own on the bus's thread, so devices talk in between.
    func scan() async throws -> I2CScan {
        let (descriptor, functionality) = try open()
        defer { descriptor.close() }
        return try await I2CScan.run(functionality) { address in
            try await thread.run { try hold(address, descriptor) }
        } ask: { address, command in
            let errors = errors(of: address)
            do {
                _ = try await thread.run {
                    try describingErrors(errors.transfer) { try descriptor.use { try SMBus.perform(command, $0) } }
                }
                note(nil, of: address)
            } catch let error as PeripheralError { throw note(error, of: address) }
        }
    }

    /// Sets the address; what holds it if a driver of the kernel does.
    private func hold(_ address: I2CAddress, _ descriptor: FileDescriptor) throws -> I2CScan.Finding? {
        do {
            try describingErrors(errors(of: address).claim) {
                _ = try descriptor.use { number in
                    try systemCall("I2C_SLAVE") { perch_i2c_set_address(number, UInt(address.rawValue)) }
                }
            }
            return nil
        } catch let error as PeripheralError where error.code == .busy {
            return .heldByKernel(driver: kernelDriver(of: address))
        }
    }

    /// Notes how a transfer ended; returns its error, with a report of the bus where that seems stuck.
    @discardableResult
    func note(_ error: PeripheralError?, of address: I2CAddress) -> PeripheralError {
        let now = loop.now
        let known = health.withLock { health in
            health.note(error?.code, of: address, at: now)
            return health
        }
        guard let error else { return PeripheralError(.io, name) }
        return error.code == .timedOut ? known.report(error, at: now) : error
    }
}
