internal import CI2C
internal import DeviceRuntime
internal import Peripherals

/// SMBus commands by libi2c, on a descriptor whose address is set. Controllers with raw messages only get them from the
/// kernel, which makes messages of them.
enum SMBus {
    /// Runs a command on the bus's thread. Throws ``SystemError``.
    static func perform(_ command: SMBusCommand, _ descriptor: Int32) throws -> [UInt8] {
        switch command {
        case .quick(let isRead):
            let direction = isRead ? I2C_SMBUS_READ : I2C_SMBUS_WRITE
            try systemCall("i2c_smbus_write_quick") { i2c_smbus_write_quick(descriptor, UInt8(direction)) }
            return []
        case .receiveByte: return byte(try systemCall("i2c_smbus_read_byte") { i2c_smbus_read_byte(descriptor) })
        case .sendByte(let value):
            try systemCall("i2c_smbus_write_byte") { i2c_smbus_write_byte(descriptor, value) }
            return []
        case .readByte(let code):
            return byte(try systemCall("i2c_smbus_read_byte_data") { i2c_smbus_read_byte_data(descriptor, code) })
        case .writeByte(let code, let value):
            try systemCall("i2c_smbus_write_byte_data") { i2c_smbus_write_byte_data(descriptor, code, value) }
            return []
        case .readWord(let code):
            return word(try systemCall("i2c_smbus_read_word_data") { i2c_smbus_read_word_data(descriptor, code) })
        case .writeWord(let code, let value):
            try systemCall("i2c_smbus_write_word_data") { i2c_smbus_write_word_data(descriptor, code, value) }
            return []
        case .processCall(let code, let value):
            return word(try systemCall("i2c_smbus_process_call") { i2c_smbus_process_call(descriptor, code, value) })
        case .readBlock(let code):
            return try block { i2c_smbus_read_block_data(descriptor, code, $0) }
        case .writeBlock(let code, let bytes):
            try systemCall("i2c_smbus_write_block_data") {
                i2c_smbus_write_block_data(descriptor, code, UInt8(bytes.count), bytes)
            }
            return []
        case .blockProcessCall(let code, let bytes):
            return try block(bytes) { i2c_smbus_block_process_call(descriptor, code, UInt8(bytes.count), $0) }
        case .readI2CBlock(let code, let count):
            return try block { i2c_smbus_read_i2c_block_data(descriptor, code, UInt8(count), $0) }
        case .writeI2CBlock(let code, let bytes):
            try systemCall("i2c_smbus_write_i2c_block_data") {
                i2c_smbus_write_i2c_block_data(descriptor, code, UInt8(bytes.count), bytes)
            }
            return []
        }
    }

    private static func byte(_ value: Int32) -> [UInt8] { [UInt8(truncatingIfNeeded: value)] }

    private static func word(_ value: Int32) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    /// Calls `body` with room for a block, which begins with `bytes`; it returns how many there are afterwards.
    private static func block(
        _ bytes: [UInt8] = [], _ body: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws -> [UInt8] {
        var room = bytes + [UInt8](repeating: 0, count: SMBusCommand.largestBlock - bytes.count)
        let count = try room.withUnsafeMutableBufferPointer { room in
            try systemCall("I2C_SMBUS") { body(room.baseAddress) }
        }
        return Array(room.prefix(Int(count)))
    }
}
