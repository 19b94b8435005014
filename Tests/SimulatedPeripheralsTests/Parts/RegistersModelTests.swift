import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("A simulated part with registers")
struct RegistersModelTests {
    private static let id = Register("id", at: 0x00, .readOnly, reset: 0x60)
    private static let flags = Register("flags", at: 0x01, .writeOneToClear, reset: 0b0101)
    private static let secret = Register("secret", at: 0x02, .writeOnly)
    private static let alarms = Register("alarms", at: 0x03, .readToClear, reset: 0x81)
    private static let limit = Register("limit", at: 0x04, bytes: 2, reset: 0x1234)
    private static let offset = Register("offset", at: 0x06, bytes: 3, order: .littleEndian, reset: -2)
    /// Measures for 10 ms after a one was written.
    private static let start: Register = Register(
        "start", at: 0x10,
        onWrite: { registers, value in
            guard value & 1 == 1 else { return }
            registers.after(.milliseconds(10)) {
                $0[result] = 0xBEEF
                $0[start] = 0
            }
        })
    private static let result = Register("result", at: 0x11, bytes: 2, .readOnly)
    /// Each reading takes one out.
    private static let queue: Register = Register("queue", at: 0x20, .readOnly, reset: 3, onRead: { $0[queue] -= 1 })
    private static let all = [id, flags, secret, alarms, limit, offset, start, result, queue]

    @Test(
        "What is written and read is what the register's kind makes of it",
        arguments: [
            // Bytes of each write; a read of as many bytes after the last write's number; what is read.
            ([[0x00]], 1, [0x60]), ([[0x00, 0x12], [0x00]], 1, [0x60]), ([[0x01]], 1, [0b0101]),
            ([[0x01, 0b0100], [0x01]], 1, [0b0001]), ([[0x01, 0b1010], [0x01]], 1, [0b0101]),
            ([[0x02, 0x55], [0x02]], 1, [0]), ([[0x04]], 2, [0x12, 0x34]), ([[0x05]], 1, [0x34]),
            ([[0x04, 0xAB], [0x04]], 2, [0xAB, 0x34]), ([[0x05, 0xCD], [0x04]], 2, [0x12, 0xCD]),
            ([[0x04, 1, 2, 3], [0x04]], 3, [1, 2, 3]), ([[0x06]], 3, [0xFE, 0xFF, 0xFF]),
            // On from one register to the next, over numbers that no register has, and round at the end.
            ([[0x00]], 4, [0x60, 0b0101, 0, 0x81]), ([[0x0E, 9, 9], [0x0E]], 2, [0, 0]),
            ([[0xFF]], 2, [0, 0x60]),
        ] as [([[UInt8]], Int, [UInt8])])
    func access(writes: [[UInt8]], count: Int, read: [UInt8]) {
        let model = RegistersModel(Self.all)
        for bytes in writes { model.write(bytes) }
        #expect(model.read(count: count) == read)
    }

    @Test("Reading clears what is cleared by reading, and takes from a queue, once for each reading")
    func reading() {
        let model = RegistersModel(Self.all)
        model.write([0x03])
        #expect(model.read(count: 1) == [0x81])
        model.write([0x03])
        #expect(model.read(count: 1) == [0])
        for left in [2, 1, 0] as [UInt8] {
            model.write([0x20])
            #expect(model.read(count: 1) == [left])
        }
    }

    @Test("A write that the part does not take is told")
    func mistakes() {
        let model = RegistersModel(Self.all)
        model.write([0x04, 1, 2])
        #expect(model.mistakes == [])
        model.write([0x00, 1])
        model.write([0x30, 1])
        #expect(
            model.mistakes == ["a write to the read-only id, at 0x0", "a write to no register, at 0x30"])
    }

    @Test("An effect follows the whole write to its register, and may come later")
    func effects() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let model = RegistersModel(Self.all, clock: loop)
            model.write([0x10, 0])
            try await loop.sleep(for: .milliseconds(20))
            #expect(model[Self.result] == 0)
            model.write([0x10, 1])
            try await loop.sleep(for: .milliseconds(9))
            #expect(model[Self.start] == 1)
            #expect(model[Self.result] == 0)
            try await loop.sleep(for: .milliseconds(2))
            #expect(model[Self.start] == 0)
            #expect(model[Self.result] == 0xBEEF)
        }
        let written = Protected<[Int]>([])
        let word = Register("word", at: 0, bytes: 2, onWrite: { _, value in written.withLock { $0.append(value) } })
        let model = RegistersModel([word])
        model.write([0, 0x12, 0x34])
        model.write([1, 0x56])
        #expect(written.withLock { $0 } == [0x1234, 0x0056])
        #expect(model[word] == 0x1256)
    }

    @Test("The world's side has no rules: it sets and sees everything, and what does not fit is cut off")
    func world() {
        let model = RegistersModel(Self.all)
        model[Self.id] = 0x161
        model.write([0x02, 0x77])
        #expect(model[Self.id] == 0x61)
        #expect(model[Self.secret] == 0x77)
        #expect(model[Self.offset] == 0xFFFFFE)
        model.reset()
        #expect(model[Self.id] == 0x60)
        #expect(model[Self.secret] == 0)
    }

    @Test("Where registers are numbered, who reads on reads the same one again, from its beginning")
    func numbered() {
        let temperature = Register("temperature", at: 0, bytes: 2, .readOnly, reset: 0x1910)
        let configuration = Register("configuration", at: 1)
        let model = RegistersModel([temperature, configuration], numbering: .registers)
        model.write([0])
        #expect(model.read(count: 5) == [0x19, 0x10, 0x19, 0x10, 0x19])
        #expect(model.read(count: 1) == [0x19])
        model.write([1, 0x60])
        #expect(model[configuration] == 0x60)
        #expect(model[temperature] == 0x1910)
    }

    @Test("Numbers of two bytes come high byte first")
    func wideNumbers() {
        let exposure = Register("exposure", at: 0x3500, reset: 0x44)
        let model = RegistersModel([exposure], numberWidth: 2)
        model.write([0x35, 0x00])
        #expect(model.read(count: 1) == [0x44])
        model.write([0x35, 0x00, 0x45])
        #expect(model[exposure] == 0x45)
        model.write([0x35])
        #expect(model.mistakes == [])
    }

    @Test("On SPI the first byte has the number and the direction, also when a register comes in pieces")
    func spi() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let model = RegistersModel(Self.all)
            try board.spiTarget("SPI0.0").attach(model)
            let speed = try #require(Frequency(hertz: 1_000_000))
            let device = try await board.makeSPIDevice("SPI0.0", SPIConfiguration(maximumSpeed: speed), consumer: "t")
            #expect(try await device.transfer([0x80, 0, 0]) == [0, 0x60, 0b0101])
            #expect(try await device.writeRead([0x84], count: 2) == [0x12, 0x34])
            try await device.write([0x04, 0xAB, 0xCD])
            #expect(model[Self.limit] == 0xABCD)
            _ = try await device.transfer([.write([0x04]), .write([1]), .write([2])])
            #expect(model[Self.limit] == 0x0102)
            #expect(try await device.transfer([.write([0x84]), .read(count: 1), .read(count: 1)]) == [[1], [2]])
        }
    }

    @Test("A chip whose numbers need the bit that says read is told how to take its first byte")
    func spiCommand() {
        // A BME280: bit 7 says read, and is one in all numbers (datasheet, section 6.3).
        let pressure = Register("pressure", at: 0xF7, bytes: 3, .readOnly, reset: 0x80_0000)
        let control = Register("control", at: 0xF4)
        let model = RegistersModel([control, pressure]) { (Int($0 | 0x80), $0 & 0x80 != 0) }
        model.select()
        #expect(model.exchange([0xF7, 0, 0, 0]) == [0, 0x80, 0, 0])
        model.deselect()
        model.select()
        _ = model.exchange([0x74, 0x27])
        model.deselect()
        #expect(model[control] == 0x27)
    }
}
