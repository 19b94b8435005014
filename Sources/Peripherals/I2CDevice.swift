/// One target on an I2C bus.
///
/// Transfers run on a thread of the bus, in the order in which they were asked for, so a slow or stuck bus
/// delays its own devices and nobody else. A target that does not acknowledge throws
/// ``PeripheralError/Code/noAcknowledge``, naming bus and address. Closing more than once is harmless.
public protocol I2CDevice: AnyObject, Sendable {
    /// The bus's name on its board: `I2C1`.
    var busName: String { get }
    var address: I2CAddress { get }

    /// Writes the bytes in one transfer.
    func write(_ bytes: [UInt8]) async throws

    /// Reads `count` bytes in one transfer.
    func read(count: Int) async throws -> [UInt8]

    /// Writes, then reads after a repeated start, without letting the bus go in between.
    func writeRead(_ bytes: [UInt8], count: Int) async throws -> [UInt8]

    /// Gives the address back to others.
    func close()
}

extension I2CDevice {
    /// Reads one byte from a register.
    public func readRegister(_ register: UInt8) async throws -> UInt8 {
        let bytes = try await writeRead([register], count: 1)
        guard let byte = bytes.first else {
            throw PeripheralError(.io, "\(busName) \(address) returned no byte for register \(register)")
        }
        return byte
    }

    /// Writes one byte to a register.
    public func writeRegister(_ register: UInt8, _ value: UInt8) async throws {
        try await write([register, value])
    }
}
