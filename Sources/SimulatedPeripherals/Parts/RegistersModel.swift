public import DeviceRuntime
public import Peripherals

/// A part with registers, on an I2C bus or an SPI target: what most sensors, clocks and expanders look like from
/// outside.
///
///     let counter = Register("counter", at: 0x10, bytes: 2, .readOnly)
///     let control = Register("control", at: 0x12, onWrite: { registers, value in
///         if value & 1 == 1 { registers[counter] = 0 }
///     })
///     let model = RegistersModel([counter, control])
///     model[counter] = 1234
///     try board.i2cBus("I2C1").attach(model, at: address)
///
/// On I2C a write sets the pointer with its first byte or two, and then registers from there on; a read goes on from
/// where the pointer is. On SPI the first byte under a chip select has the number and says whether it is read.
public final class RegistersModel: SimulatedI2CTarget, SimulatedSPIPart {
    /// What the first byte under a chip select means.
    public typealias SPICommand = @Sendable (_ byte: UInt8) -> (number: Int, isRead: Bool)

    private struct State {
        var file: RegisterFile
        var place: RegisterFile.Place = 0
        /// What is going on under the present chip select, once its first byte has come.
        var isReading: Bool?
        var written: [UInt8] = []
    }

    private let state: Protected<State>
    private let numberWidth: Int
    private let clock: (any MonotonicClock)?
    private let checkedAddress: I2CAddress?
    private let spiCommand: SPICommand

    /// A part with these registers; without any, with a plain byte for each number.
    ///
    /// `numberWidth` is how many bytes a number has on I2C, the high one first. What effects put off
    /// (``RegisterFile/after(_:_:)``) happens on `clock`, at once if there is none. With an address given, each
    /// transfer ends in an SMBus check byte (PEC). `spiCommand` is, unless told otherwise, the number in the lower
    /// seven bits, and a one above them for reading.
    public init(
        _ registers: [Register] = [], numbering: RegisterNumbering = .bytes, numberWidth: Int = 1,
        clock: (any MonotonicClock)? = nil, checkingPacketsAt address: I2CAddress? = nil,
        spiCommand: @escaping SPICommand = { (Int($0 & 0x7F), $0 & 0x80 != 0) }
    ) {
        let numbers = numberWidth == 1 ? 0x100 : 0x1_0000
        state = Protected(State(file: RegisterFile(registers, numbering, numbers: numbers)))
        self.numberWidth = numberWidth == 1 ? 1 : 2
        self.clock = clock
        checkedAddress = address
        self.spiCommand = spiCommand
    }

    // MARK: From outside

    /// What a register holds: set what the world does, look at what the driver wrote.
    public subscript(register: Register) -> Int {
        get { state.withLock { $0.file[register] } }
        set { change { $0[register] = newValue } }
    }

    /// The byte of a number, for a part without a list of registers.
    public subscript(number: UInt8) -> UInt8 {
        get { state.withLock { $0.file[Int(number)] } }
        set { state.withLock { $0.file[Int(number)] = newValue } }
    }

    /// Changes several registers at once.
    public func change(_ body: (inout RegisterFile) -> Void) { update { body(&$0.file) } }

    /// As after the power was off.
    public func reset() { change { $0.reset() } }

    /// What the driver did that the part does not take, such as writing to a register that can only be read.
    public var mistakes: [String] { state.withLock { $0.file.mistakes } }

    /// Changes the state, and sees to what effects have put off.
    private func update<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, delayed) = state.withLock { state in
            let value = body(&state)
            return (value, state.file.takeDelayed())
        }
        for item in delayed {
            guard let clock else {
                change(item.change)
                continue
            }
            clock.schedule(after: item.delay) { [weak self] in self?.change(item.change) }
        }
        return value
    }

    // MARK: I2C

    public func write(_ bytes: [UInt8]) {
        guard bytes.count >= numberWidth else { return }
        update { state in
            state.place = state.file.place(of: bytes.prefix(numberWidth).reduce(0) { $0 << 8 | Int($1) })
            state.file.write(Array(bytes.dropFirst(numberWidth)), at: &state.place)
        }
    }

    public func read(count: Int) -> [UInt8] {
        update { state in
            state.place = state.file.start(of: state.place)
            return state.file.read(count: count, at: &state.place)
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

    // MARK: SPI

    public func select() {
        update { state in
            state.isReading = nil
            state.written = []
        }
    }

    public func exchange(_ bytes: [UInt8]) -> [UInt8] {
        update { state in
            var rest = bytes[...]
            var answer: [UInt8] = []
            if state.isReading == nil, let first = rest.popFirst() {
                let (number, isRead) = spiCommand(first)
                state.place = state.file.place(of: number)
                state.isReading = isRead
                answer = [0]
            }
            if state.isReading == true { return answer + state.file.read(count: rest.count, at: &state.place) }
            state.written += rest
            return answer
        }
    }

    /// What was written counts at the end, so that a register which came in pieces is written once.
    public func deselect() { update { state in state.file.write(state.written, at: &state.place) } }
}
