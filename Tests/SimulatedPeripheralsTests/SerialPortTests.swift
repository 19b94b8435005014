import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("The simulated serial port")
struct SerialPortTests {
    private static func withPort(
        _ configuration: SerialConfiguration,
        _ body: @escaping @Sendable (EventLoop, SimulatedSerialPort, any SerialPort) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let port = try await board.makeSerialPort("SERIAL0", configuration, consumer: "test")
            try await body(loop, try board.serialPort("SERIAL0"), port)
            port.close()
        }
    }

    @Test(
        "A byte takes the time of its bits",
        arguments: [
            (SerialConfiguration(baudRate: 9600), Duration.seconds(1)),
            (SerialConfiguration(baudRate: 9600, parity: .even, stopBits: .two), .milliseconds(1200)),
            (SerialConfiguration(baudRate: 115_200, dataBits: .seven), .milliseconds(75)),
        ])
    func time(configuration: SerialConfiguration, expected: Duration) async throws {
        try await Self.withPort(configuration) { loop, farEnd, port in
            // 960 bytes of ten bits are a second at 9600 baud.
            try await port.write([UInt8](repeating: 0x55, count: 960))
            try await port.drain()
            #expect(abs((loop.now - expected) / .nanoseconds(1)) < 1000)
            #expect(farEnd.received.count == 960)
            let start = loop.now
            farEnd.send([UInt8](repeating: 0x55, count: 960))
            var count = 0
            while count < 960, case .bytes(let bytes) = try await port.read(timeout: .seconds(2)) {
                count += bytes.count
            }
            #expect(abs((loop.now - start - expected) / .nanoseconds(1)) < 1000)
        }
    }

    @Test("A break, a damaged byte and an overrun come in at their places")
    func errors() async throws {
        try await Self.withPort(SerialConfiguration(baudRate: 115_200)) { loop, farEnd, port in
            farEnd.send([1])
            farEnd.send(.lineBreak)
            farEnd.send(.damagedByte(7))
            farEnd.send([2])
            for expected in [SerialInput.bytes([1]), .lineBreak, .damagedByte(7), .bytes([2])] {
                #expect(try await port.read() == expected)
            }
            farEnd.send([UInt8](repeating: 3, count: 5000))
            try await loop.sleep(for: .seconds(1))
            #expect(try await port.read() == .bytes([UInt8](repeating: 3, count: 4096)))
            #expect(try await port.read() == .overrun)
        }
    }

    @Test("A line with a damaged byte is told as damaged, and the next one is whole")
    func damagedLine() async throws {
        try await Self.withPort(SerialConfiguration(baudRate: 115_200)) { _, farEnd, port in
            farEnd.send(Array("te".utf8))
            farEnd.send(.damagedByte(0x6D))
            farEnd.send(Array("p\nnext\n".utf8))
            var lines = port.lines().makeAsyncIterator()
            let (first, second) = (try await lines.next(), try await lines.next())
            #expect(first == .damaged(Array("tep".utf8)))
            #expect(second == .complete(Array("next".utf8)))
        }
    }

    @Test("With flow control nothing is lost, however late it is read, and CTS holds what is written")
    func flowControl() async throws {
        try await Self.withPort(SerialConfiguration(baudRate: 115_200, flowControl: .rtsCTS)) { loop, farEnd, port in
            farEnd.send([UInt8](repeating: 3, count: 10_000))
            try await loop.sleep(for: .seconds(10))
            var count = 0
            while count < 10_000, case .bytes(let bytes) = try await port.read(timeout: .seconds(1)) {
                count += bytes.count
            }
            #expect(count == 10_000)

            farEnd.setClearToSend(false)
            try await port.write([1, 2, 3])
            try await loop.sleep(for: .seconds(10))
            #expect(farEnd.received.isEmpty)
            farEnd.setClearToSend(true)
            try await port.drain()
            #expect(farEnd.received == [1, 2, 3])
        }
    }

    @Test("A port that was unplugged is not found until it is back, and is then opened anew")
    func replugging() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let configuration = SerialConfiguration(baudRate: 9600)
            let port = try await board.makeSerialPort("/dev/ttyUSB0", configuration, consumer: "test")
            let farEnd = try board.serialPort("/dev/ttyUSB0")
            farEnd.unplug()
            farEnd.plugIn()
            // The one that was open then stays dead.
            #expect(await code { try await port.write([1]) } == .io)
            port.close()
            farEnd.unplug()
            #expect(
                await code { _ = try await board.makeSerialPort("/dev/ttyUSB0", configuration, consumer: "test") }
                    == .notFound)
            farEnd.plugIn()
            let again = try await board.makeSerialPort("/dev/ttyUSB0", configuration, consumer: "test")
            try await again.write([1])
            try await again.drain()
            #expect(farEnd.received == [1])
        }
    }

    private func code(_ body: () async throws -> Void) async -> PeripheralError.Code? {
        do { try await body() } catch { return (error as? PeripheralError)?.code }
        return nil
    }
}
