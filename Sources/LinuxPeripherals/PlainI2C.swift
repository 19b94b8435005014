internal import CI2C
internal import DeviceRuntime
internal import Peripherals

/// Raw messages (I2C_RDWR), for controllers that can: any length, and a repeated start in between.
enum PlainI2C {
    /// Runs the messages on the bus's thread and returns what was read. They carry the address, whatever the
    /// descriptor's is. Throws ``SystemError``.
    static func transfer(
        _ descriptor: Int32, to address: I2CAddress, _ messages: [I2CMessage]
    ) throws -> [[UInt8]] {
        // All bytes in one piece of memory, one message after the other.
        var memory: [UInt8] = []
        for message in messages {
            switch message {
            case .write(let bytes): memory += bytes
            case .read(let count): memory += repeatElement(0, count: count)
            }
        }
        try memory.withUnsafeMutableBufferPointer { memory in
            var offset = 0
            var requests = messages.map { message in
                defer { offset += message.count }
                return i2c_msg(
                    addr: address.rawValue, flags: flags(of: message, to: address), len: UInt16(message.count),
                    buf: memory.baseAddress.map { $0 + offset })
            }
            try requests.withUnsafeMutableBufferPointer { requests in
                var request = i2c_rdwr_ioctl_data(msgs: requests.baseAddress, nmsgs: UInt32(requests.count))
                _ = try systemCall("I2C_RDWR") { perch_i2c_transfer(descriptor, &request) }
            }
        }
        var offset = 0
        return messages.compactMap { message in
            defer { offset += message.count }
            guard case .read(let count) = message else { return nil }
            return Array(memory[offset..<offset + count])
        }
    }

    private static func flags(of message: I2CMessage, to address: I2CAddress) -> UInt16 {
        var flags: Int32 = address.isTenBit ? I2C_M_TEN : 0
        if case .read = message { flags |= I2C_M_RD }
        return UInt16(flags)
    }
}
