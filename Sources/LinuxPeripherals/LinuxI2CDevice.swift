internal import CI2C
internal import DeviceRuntime
internal import Peripherals

/// One target on an I2C bus, by i2c-dev. It has a descriptor of its own, because the address that the kernel
/// uses belongs to the descriptor; its bus's thread is shared by all targets there.
final class LinuxI2CDevice: I2CDevice {
    let busName: String
    let address: I2CAddress
    let functionality: I2CFunctionality
    private let bus: I2CBus
    private let retries: I2CRetryPolicy
    private let errors: I2CErrors
    private let descriptor: FileDescriptor
    private let claim: Claim

    /// Opens the target without talking to it: whether it is there shows in the first transfer.
    init(bus: I2CBus, address: I2CAddress, _ configuration: I2CConfiguration, claim: Claim) throws {
        self.bus = bus
        busName = bus.name
        self.address = address
        self.claim = claim
        retries = configuration.retries
        errors = bus.errors(of: address)
        (descriptor, functionality) = try bus.open()
        try setUp(configuration)
    }

    private func setUp(_ configuration: I2CConfiguration) throws {
        let timeout = try configuration.timeoutSteps(for: errors.target)
        let kernelRetries = try configuration.checkedKernelRetries(for: errors.target)
        try describingErrors(errors.transfer) {
            let number = try descriptor.open()
            if address.isTenBit {
                try need(.tenBitAddresses)
                try systemCall("I2C_TENBIT") { perch_i2c_set_ten_bit(number, 1) }
            }
            // Not I2C_SLAVE_FORCE: an address that a kernel driver serves is not ours to talk to.
            _ = try describingErrors(errors.claim) {
                try systemCall("I2C_SLAVE") { perch_i2c_set_address(number, UInt(address.rawValue)) }
            }
            if configuration.checksPackets {
                try need(.packetErrorChecking)
                try systemCall("I2C_PEC") { perch_i2c_set_packet_error_checking(number, 1) }
            }
            if let timeout { try systemCall("I2C_TIMEOUT") { perch_i2c_set_timeout(number, UInt(timeout)) } }
            if let kernelRetries {
                try systemCall("I2C_RETRIES") { perch_i2c_set_retries(number, UInt(kernelRetries)) }
            }
        }
    }

    private func need(_ what: I2CFunctionality) throws {
        guard functionality.contains(what) else {
            throw PeripheralError(.unsupported, "\(errors.target): the bus's controller has no \(what)")
        }
    }

    func transfer(_ messages: [I2CMessage]) async throws -> [[UInt8]] {
        try checkOpen()
        try I2CMessage.check(messages, for: errors.target)
        guard functionality.contains(.rawMessages) else {
            let reads = messages.contains { if case .read = $0 { true } else { false } }
            let bytes = try await perform(SMBusCommand(of: messages, for: errors.target))
            return reads ? [bytes] : []
        }
        return try await onTheBus { [address] in try PlainI2C.transfer($0, to: address, messages) }
    }

    func perform(_ command: SMBusCommand) async throws -> [UInt8] {
        try checkOpen()
        try command.check(against: functionality, for: errors.target)
        return try await onTheBus { try SMBus.perform(command, $0) }
    }

    func close() {
        descriptor.close()
        claim.release()
    }

    private func checkOpen() throws {
        guard descriptor.number != nil else { throw PeripheralError(.closed, "\(errors.target) was closed before") }
    }

    /// Runs `work` on the bus's thread with the open descriptor, as often as the policy says.
    private func onTheBus<Value: Sendable>(_ work: @escaping @Sendable (Int32) throws -> Value) async throws -> Value {
        try await retries.run(now: { bus.loop.now }, sleep: { try await bus.loop.sleep(for: $0) }) {
            do {
                let value = try await bus.thread.run { [descriptor, errors] in
                    try describingErrors(errors.transfer) { try descriptor.use(work) }
                }
                bus.note(nil, of: address)
                return value
            } catch let error as PeripheralError { throw bus.note(error, of: address) }
        }
    }
}
