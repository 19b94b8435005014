import DeviceRuntime
public import Peripherals

/// An I2C part with 256 registers of a byte and a pointer that moves on by itself: what most sensors, clocks and
/// expanders look like from outside.
///
/// A write sets the pointer with its first byte and the registers from there on with the others. With an address given,
/// it checks and sends SMBus check bytes (PEC) at the end of each transfer.
public final class RegistersModel: SimulatedI2CTarget {
    private struct State {
        var registers = [UInt8](repeating: 0, count: 256)
        var pointer: UInt8 = 0
    }

    private let state = Protected(State())
    private let checkedAddress: I2CAddress?

    public init(checkingPacketsAt address: I2CAddress? = nil) { checkedAddress = address }

    public subscript(register: UInt8) -> UInt8 {
        get { state.withLock { $0.registers[Int(register)] } }
        set { state.withLock { $0.registers[Int(register)] = newValue } }
    }

    public func write(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        state.withLock { state in
            state.pointer = first
            for byte in bytes.dropFirst() {
                state.registers[Int(state.pointer)] = byte
                state.pointer &+= 1
            }
        }
    }

    public func read(count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                defer { state.pointer &+= 1 }
                return state.registers[Int(state.pointer)]
            }
        }
    }

    public func transfer(_ messages: [I2CMessage]) throws -> [[UInt8]] {
        var messages = messages
        if let checkedAddress, messages.count == 1, case .write(let bytes) = messages[0], !bytes.isEmpty {
            messages[0] = .write(bytes.dropLast())
            guard bytes.last == PacketErrorCode.of(messages, reads: [], at: checkedAddress) else {
                throw PeripheralError(.dataNotAcknowledged, "the check byte is wrong")
            }
        }
        var reads: [[UInt8]] = []
        for message in messages {
            switch message {
            case .write(let bytes): write(bytes)
            case .read(let count): reads.append(read(count: count))
            }
        }
        if let checkedAddress, let bytes = reads.last, !bytes.isEmpty {
            let data = Array(bytes.dropLast())
            reads[reads.count - 1] =
                data + [PacketErrorCode.of(messages, reads: reads.dropLast() + [data], at: checkedAddress)]
        }
        return reads
    }
}
