import Peripherals

/// A transfer as it stands on the wire, and how what was read is to be understood.
struct SimulatedI2CTransfer {
    private(set) var messages: [I2CMessage]
    private(set) var isQuick = false
    /// The first byte that is read says how many follow.
    private var hasCount = false
    private var checksPackets = false

    init(_ messages: [I2CMessage]) { self.messages = messages }

    /// As the kernel makes messages of SMBus commands (`i2c_smbus_xfer_emulated`).
    init(of command: SMBusCommand, checksPackets: Bool) {
        func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        let block = 1 + SMBusCommand.largestBlock
        messages =
            switch command {
            case .quick(let isRead): [isRead ? .read(count: 0) : .write([])]
            case .receiveByte: [.read(count: 1)]
            case .sendByte(let value): [.write([value])]
            case .readByte(let code): [.write([code]), .read(count: 1)]
            case .writeByte(let code, let value): [.write([code, value])]
            case .readWord(let code): [.write([code]), .read(count: 2)]
            case .writeWord(let code, let value): [.write([code] + word(value))]
            case .processCall(let code, let value): [.write([code] + word(value)), .read(count: 2)]
            case .readBlock(let code): [.write([code]), .read(count: block)]
            case .writeBlock(let code, let bytes): [.write([code, UInt8(bytes.count)] + bytes)]
            case .blockProcessCall(let code, let bytes):
                [.write([code, UInt8(bytes.count)] + bytes), .read(count: block)]
            case .readI2CBlock(let code, let count): [.write([code]), .read(count: count)]
            case .writeI2CBlock(let code, let bytes): [.write([code] + bytes)]
            }
        switch command {
        case .quick: isQuick = true
        case .readI2CBlock, .writeI2CBlock: break
        case .readBlock, .blockProcessCall:
            hasCount = true
            self.checksPackets = checksPackets
        default: self.checksPackets = checksPackets
        }
    }

    /// With the check byte for `address`, if there is to be one.
    func checked(for address: I2CAddress) -> SimulatedI2CTransfer {
        guard checksPackets, let last = messages.last else { return self }
        var transfer = self
        switch last {
        case .write(let bytes):
            let check = PacketErrorCode.of(messages, reads: [], at: address)
            transfer.messages[messages.count - 1] = .write(bytes + [check])
        case .read(let count): transfer.messages[messages.count - 1] = .read(count: count + 1)
        }
        return transfer
    }

    /// The bytes that were read, without counts and check bytes. Throws `corrupted` for a wrong check byte.
    func result(of reads: [[UInt8]], from address: I2CAddress, on bus: String) throws -> [[UInt8]] {
        guard hasCount || checksPackets, var bytes = reads.last else { return reads }
        if hasCount {
            let count = Int(bytes.first ?? 0)
            guard 1...SMBusCommand.largestBlock ~= count else {
                throw PeripheralError(
                    .io, "\(bus) \(address) broke the protocol: a block has from 1 to 32 bytes", cause: "EPROTO (71)")
            }
            bytes = Array(bytes.prefix(1 + count + (checksPackets ? 1 : 0)))
        }
        if checksPackets, let check = bytes.popLast(),
            check != PacketErrorCode.of(messages, reads: [bytes], at: address)
        {
            throw PeripheralError(
                .corrupted, "\(bus) \(address): the check byte (PEC) is wrong", cause: "EBADMSG (74)",
                advice: "try again; if it stays so, the part sends none or the wires are too long for the speed")
        }
        return [hasCount ? Array(bytes.dropFirst()) : bytes]
    }
}

/// SMBus's check byte: CRC-8 with the polynomial 0x07 over all bytes on the wire, the addresses included (SMBus 3.2,
/// section 6.4).
enum PacketErrorCode {
    static func of(_ messages: [I2CMessage], reads: [[UInt8]], at address: I2CAddress) -> UInt8 {
        let write = UInt8(truncatingIfNeeded: address.rawValue << 1)
        var reads = reads[...]
        var wire: [UInt8] = []
        for message in messages {
            switch message {
            case .write(let bytes): wire += [write] + bytes
            case .read: wire += [write | 1] + (reads.popFirst() ?? [])
            }
        }
        var code: UInt8 = 0
        for byte in wire {
            code ^= byte
            for _ in 0..<8 {
                let isReduced = code & 0x80 != 0
                code <<= 1
                if isReduced { code ^= 0x07 }
            }
        }
        return code
    }
}
