/// Which byte of a number comes first on the wire.
public enum ByteOrder: Sendable, Hashable, CaseIterable {
    /// The high byte, as in most sensors and EEPROMs.
    case bigEndian
    /// The low byte, as in SMBus words.
    case littleEndian

    func bytes(of word: UInt16) -> [UInt8] {
        let high = UInt8(word >> 8)
        let low = UInt8(word & 0xFF)
        return self == .bigEndian ? [high, low] : [low, high]
    }
}

/// The number of a register as it stands on the wire: of one byte, which a literal is too, or of two.
public struct I2CRegister: Sendable, Hashable, ExpressibleByIntegerLiteral {
    public let bytes: [UInt8]

    public init(_ number: UInt8) { bytes = [number] }

    /// Of two bytes, as in larger EEPROMs and image sensors.
    public init(_ number: UInt16, _ order: ByteOrder) { bytes = order.bytes(of: number) }

    public init(integerLiteral number: UInt8) { self.init(number) }
}

/// Registers by raw transfers: the register's number is written, then the values are written or read.
extension I2CDevice {
    /// Reads the byte of a register.
    public func readRegister(_ register: I2CRegister) async throws -> UInt8 {
        try await readRegisters(from: register, count: 1)[0]
    }

    /// Reads bytes from a register on; a target moves on by itself.
    public func readRegisters(from register: I2CRegister, count: Int) async throws -> [UInt8] {
        try await writeRead(register.bytes, count: count)
    }

    /// Reads a number of two bytes.
    public func readWordRegister(_ register: I2CRegister, _ order: ByteOrder) async throws -> UInt16 {
        let bytes = try await readRegisters(from: register, count: 2).map(UInt16.init)
        return order == .bigEndian ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0]
    }

    /// Writes the byte of a register.
    public func writeRegister(_ register: I2CRegister, _ value: UInt8) async throws {
        try await writeRegisters(from: register, [value])
    }

    /// Writes bytes from a register on.
    public func writeRegisters(from register: I2CRegister, _ values: [UInt8]) async throws {
        try await write(register.bytes + values)
    }

    /// Writes a number of two bytes.
    public func writeWordRegister(_ register: I2CRegister, _ value: UInt16, _ order: ByteOrder) async throws {
        try await write(register.bytes + order.bytes(of: value))
    }
}

/// What SMBus commands read, as numbers.
extension I2CDevice {
    /// Reads a byte by an SMBus command: what ``readRegister(_:)`` does, with the check byte if there is one.
    public func readByte(_ command: UInt8) async throws -> UInt8 {
        try await number(.readByte(command), bytes: 1) { UInt8($0) }
    }

    /// Reads a word, the low byte first.
    public func readWord(_ command: UInt8) async throws -> UInt16 {
        try await number(.readWord(command), bytes: 2) { $0 }
    }

    /// Writes a word and reads one.
    public func processCall(_ command: UInt8, _ word: UInt16) async throws -> UInt16 {
        try await number(.processCall(command, word), bytes: 2) { $0 }
    }

    private func number<Value>(
        _ command: SMBusCommand, bytes count: Int, _ make: (UInt16) -> Value
    ) async throws -> Value {
        let bytes = try await perform(command)
        guard bytes.count == count else {
            throw PeripheralError(.io, "\(busName) \(address) returned \(bytes.count) bytes instead of \(count)")
        }
        var value: UInt16 = 0
        for byte in bytes.reversed() { value = value << 8 | UInt16(byte) }
        return make(value)
    }
}
