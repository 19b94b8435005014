/// One target on an I2C bus.
///
/// Transfers run on a thread of the bus, in the order in which they were asked for, so a slow or stuck bus
/// delays its own devices and nobody else. A target that does not acknowledge throws
/// ``PeripheralError/Code/noAcknowledge``, naming bus and address. Closing more than once is harmless; a transfer that
/// has begun then still ends, and any other call throws ``PeripheralError/Code/closed``.
public protocol I2CDevice: AnyObject, Sendable {
    /// The bus's name on its board: `I2C1`.
    var busName: String { get }
    var address: I2CAddress { get }
    /// What the bus's controller can do.
    var functionality: I2CFunctionality { get }

    /// Runs the messages with a repeated start between them and without letting the bus go; returns the bytes of each
    /// read. From 1 to 42 messages of 1 to 8192 bytes; `invalidArgument` otherwise, before anything moves.
    ///
    /// A controller that knows SMBus commands only takes what looks like one on the wire: one byte each way, a
    /// register, and up to 32 bytes after one. For the rest, and for combinations that a controller refuses (a
    /// Raspberry Pi's allows one read, at the end), it throws `unsupported`.
    func transfer(_ messages: [I2CMessage]) async throws -> [[UInt8]]

    /// Runs an SMBus command and returns what it read, with its check byte if the device was opened so. Throws
    /// `unsupported` for what the controller lacks and `corrupted` when the check byte is wrong.
    func perform(_ command: SMBusCommand) async throws -> [UInt8]

    /// Gives the address back to others.
    func close()
}

extension I2CDevice {
    /// Writes the bytes in one transfer.
    public func write(_ bytes: [UInt8]) async throws { _ = try await transfer([.write(bytes)]) }

    /// Reads `count` bytes in one transfer.
    public func read(count: Int) async throws -> [UInt8] { try await bytes(of: transfer([.read(count: count)]), count) }

    /// Writes, then reads after a repeated start, without letting the bus go in between.
    public func writeRead(_ bytes: [UInt8], count: Int) async throws -> [UInt8] {
        try await self.bytes(of: transfer([.write(bytes), .read(count: count)]), count)
    }

    private func bytes(of reads: [[UInt8]], _ count: Int) throws -> [UInt8] {
        guard let bytes = reads.first, bytes.count == count else {
            throw PeripheralError(
                .io, "\(busName) \(address) returned \(reads.first?.count ?? 0) bytes instead of \(count)")
        }
        return bytes
    }
}
