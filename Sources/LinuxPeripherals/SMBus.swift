internal import CI2C
internal import DeviceRuntime
internal import Peripherals

/// SMBus commands, for controllers that know nothing else (many PC controllers, the kernel's i2c-stub). The
/// first byte written is the command; on the wire these are the same bytes as a raw transfer's.
struct SMBus: I2CTransport {
    /// `I2C1 0x70`
    let target: String
    /// The controller's `I2C_FUNC_*` bits.
    let functionality: UInt

    func transfer(_ descriptor: Int32, _ bytes: [UInt8], count: Int) throws -> [UInt8] {
        switch (bytes.count, count) {
        case (0, 1):
            try need(I2C_FUNC_SMBUS_READ_BYTE, "read one byte")
            return [
                UInt8(truncatingIfNeeded: try systemCall("i2c_smbus_read_byte") { i2c_smbus_read_byte(descriptor) })
            ]
        case (1, 0):
            try need(I2C_FUNC_SMBUS_WRITE_BYTE, "write one byte")
            try systemCall("i2c_smbus_write_byte") { i2c_smbus_write_byte(descriptor, bytes[0]) }
            return []
        case (2, 0):
            try need(I2C_FUNC_SMBUS_WRITE_BYTE_DATA, "write a register")
            try systemCall("i2c_smbus_write_byte_data") { i2c_smbus_write_byte_data(descriptor, bytes[0], bytes[1]) }
            return []
        case (3...Self.largestBlock + 1, 0):
            // Not i2c_smbus_write_block_data, which would put a count before the data.
            try need(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK, "write a block")
            let data = Array(bytes.dropFirst())
            try systemCall("i2c_smbus_write_i2c_block_data") {
                i2c_smbus_write_i2c_block_data(descriptor, bytes[0], UInt8(data.count), data)
            }
            return []
        case (1, 1):
            try need(I2C_FUNC_SMBUS_READ_BYTE_DATA, "read a register")
            let byte = try systemCall("i2c_smbus_read_byte_data") { i2c_smbus_read_byte_data(descriptor, bytes[0]) }
            return [UInt8(truncatingIfNeeded: byte)]
        case (1, 2...Self.largestBlock):
            try need(I2C_FUNC_SMBUS_READ_I2C_BLOCK, "read a block")
            return try readBlock(descriptor, bytes[0], count)
        default:
            throw unsupported(
                "write \(bytes.count) and read \(count) bytes", why: "SMBus has no such command")
        }
    }

    /// I2C_SMBUS_BLOCK_MAX
    private static let largestBlock = 32

    private func readBlock(_ descriptor: Int32, _ command: UInt8, _ count: Int) throws -> [UInt8] {
        var data = [UInt8](repeating: 0, count: Self.largestBlock)
        let received = try systemCall("i2c_smbus_read_i2c_block_data") {
            i2c_smbus_read_i2c_block_data(descriptor, command, UInt8(count), &data)
        }
        guard received == count else {
            throw PeripheralError(.io, "\(target) returned \(received) bytes instead of \(count)")
        }
        return Array(data.prefix(count))
    }

    private func need(_ function: Int32, _ action: String) throws {
        guard functionality & UInt(function) != 0 else {
            throw unsupported(action, why: "its controller has no such SMBus command")
        }
    }

    private func unsupported(_ action: String, why: String) -> PeripheralError {
        PeripheralError(
            .unsupported, "\(target): cannot \(action) on this bus", cause: "it takes SMBus commands only, and \(why)",
            advice: "use a bus with raw transfers, as those of the board's header are")
    }
}
