internal import CI2C
internal import DeviceRuntime
internal import Peripherals

/// Raw messages (I2C_RDWR), for controllers that can: any length, and a repeated start in between.
struct PlainI2C: I2CTransport {
    let address: I2CAddress

    func transfer(_ descriptor: Int32, _ bytes: [UInt8], count: Int) throws -> [UInt8] {
        var written = bytes
        var received = [UInt8](repeating: 0, count: count)
        try written.withUnsafeMutableBufferPointer { written in
            try received.withUnsafeMutableBufferPointer { received in
                var messages: [i2c_msg] = []
                if !written.isEmpty { messages.append(message(written, flags: 0)) }
                if !received.isEmpty { messages.append(message(received, flags: UInt16(I2C_M_RD))) }
                try messages.withUnsafeMutableBufferPointer { messages in
                    var request = i2c_rdwr_ioctl_data(msgs: messages.baseAddress, nmsgs: UInt32(messages.count))
                    _ = try systemCall("I2C_RDWR") { perch_i2c_transfer(descriptor, &request) }
                }
            }
        }
        return received
    }

    private func message(_ buffer: UnsafeMutableBufferPointer<UInt8>, flags: UInt16) -> i2c_msg {
        i2c_msg(addr: UInt16(address.rawValue), flags: flags, len: UInt16(buffer.count), buf: buffer.baseAddress)
    }
}
