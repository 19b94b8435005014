internal import CI2C
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// One target on an I2C bus, by i2c-dev. It has a descriptor of its own, because the address that the kernel
/// uses belongs to the descriptor; its bus's thread is shared by all targets there.
final class LinuxI2CDevice: I2CDevice {
    let busName: String
    let address: I2CAddress
    private let transport: any I2CTransport
    private let errors: I2CErrors
    private let descriptor: FileDescriptor
    private let thread: BlockingThread
    private let claim: Claim

    /// Opens the target without talking to it: whether it is there shows in the first transfer.
    init(bus: I2CBus, address: I2CAddress, claim: Claim) throws {
        busName = bus.name
        self.address = address
        self.claim = claim
        thread = bus.thread
        let errors = I2CErrors(target: "\(bus.name) \(address)", adapter: bus.adapterName)
        self.errors = errors
        let descriptor = try describingErrors({ bus.openingError($0) }) {
            try FileDescriptor(opening: bus.path, flags: O_RDWR)
        }
        self.descriptor = descriptor
        transport = try describingErrors(errors.transfer) {
            let number = try descriptor.open()
            var functionality: UInt = 0
            try systemCall("I2C_FUNCS") { perch_i2c_functionality(number, &functionality) }
            // Not I2C_SLAVE_FORCE: an address that a kernel driver serves is not ours to talk to.
            _ = try describingErrors(errors.claim) {
                try systemCall("I2C_SLAVE") { perch_i2c_set_address(number, UInt(address.rawValue)) }
            }
            return functionality & UInt(I2C_FUNC_I2C) != 0
                ? PlainI2C(address: address) : SMBus(target: errors.target, functionality: functionality)
        }
    }

    func write(_ bytes: [UInt8]) async throws { _ = try await transfer(bytes, count: 0) }

    func read(count: Int) async throws -> [UInt8] { try await transfer([], count: count) }

    func writeRead(_ bytes: [UInt8], count: Int) async throws -> [UInt8] {
        guard !bytes.isEmpty, count > 0 else {
            throw PeripheralError(.invalidArgument, "\(errors.target): a combined transfer writes and reads")
        }
        return try await transfer(bytes, count: count)
    }

    func close() {
        descriptor.close()
        claim.release()
    }

    private func transfer(_ bytes: [UInt8], count: Int) async throws -> [UInt8] {
        guard descriptor.number != nil else { throw PeripheralError(.closed, "\(errors.target) was closed before") }
        guard !bytes.isEmpty || count > 0, 0...I2CBus.largestTransfer ~= count,
            bytes.count <= I2CBus.largestTransfer
        else {
            throw PeripheralError(
                .invalidArgument, "\(errors.target): a transfer has from 1 to \(I2CBus.largestTransfer) bytes each way")
        }
        return try await thread.run { [descriptor, transport, errors] in
            try describingErrors(errors.transfer) {
                try descriptor.use { try transport.transfer($0, bytes, count: count) }
            }
        }
    }
}

/// A way to talk over a bus: writes bytes if there are any, then reads `count` if that is above zero. Runs on
/// the bus's thread. Throws ``SystemError``, or ``PeripheralError`` for what it cannot do.
protocol I2CTransport: Sendable {
    func transfer(_ descriptor: Int32, _ bytes: [UInt8], count: Int) throws -> [UInt8]
}
