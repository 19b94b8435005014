import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Simulated parts that stream")
struct StreamModelTests {
    @Test("An SPI part answers byte by byte, by what came so far under this chip select", arguments: 0..<8)
    func converter(channel: UInt8) async throws {
        let finished = Protected<[[UInt8]]>([])
        // As an MCP3008 whose channels measure 0, 100, 200 …
        let model = SPIStreamModel { frame in
            guard frame.count > 1 else { return 0 }
            let value = UInt16(frame[1] >> 4 & 7) * 100
            return frame.count == 2 ? UInt8(value >> 8) : UInt8(value & 0xFF)
        } finished: { frame in
            finished.withLock { $0.append(frame) }
        }
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            try board.spiTarget("SPI0.0").attach(model)
            let speed = try #require(Frequency(hertz: 1_000_000))
            let device = try await board.makeSPIDevice("SPI0.0", SPIConfiguration(maximumSpeed: speed), consumer: "t")
            let bytes = try await device.transfer([1, 0x80 | channel << 4, 0])
            #expect(UInt16(bytes[1]) << 8 | UInt16(bytes[2]) == UInt16(channel) * 100)
        }
        #expect(model.frames == [[1, 0x80 | channel << 4, 0]])
        #expect(finished.withLock { $0 } == model.frames)
    }

    /// Opens SERIAL0 beside a model that answers `W`.
    private func withScale(
        delay: Duration = .zero,
        _ body: @escaping @Sendable (EventLoop, SerialLinesModel, any SerialPort) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let scale = SerialLinesModel(on: try board.serialPort("SERIAL0"), delay: delay) { line in
                switch line {
                case "W": ["1.250 kg"]
                case "?": ["scale", "v2"]
                case "": []
                default: ["ES"]
                }
            }
            let port = try await board.makeSerialPort(
                "SERIAL0", SerialConfiguration(baudRate: 115_200), consumer: "test")
            try await body(loop, scale, port)
            port.close()
            _ = board
        }
    }

    /// What the port brings within a while.
    private func arrived(on port: any SerialPort) async throws -> String {
        var bytes: [UInt8] = []
        while case .bytes(let more) = try? await port.read(timeout: .milliseconds(50)) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A serial part answers whole lines, however they come",
        arguments: [
            (["W\r\n"], "1.250 kg\r\n", ["W"]), (["W", "\r", "\n"], "1.250 kg\r\n", ["W"]),
            (["W\r\n?\r\n"], "1.250 kg\r\nscale\r\nv2\r\n", ["W", "?"]), (["x\r\n\r\n"], "ES\r\n", ["x", ""]),
            (["W"], "", []), (["W\n"], "", []),
        ])
    func lines(sent: [String], answers: String, lines: [String]) async throws {
        try await withScale { _, scale, port async throws in
            for text in sent { try await port.write(Array(text.utf8)) }
            #expect(try await arrived(on: port) == answers)
            #expect(scale.lines == lines)
        }
    }

    @Test("It takes its time to answer")
    func delay() async throws {
        try await withScale(delay: .milliseconds(200)) { loop, _, port async throws in
            try await port.write(Array("W\r\n".utf8))
            _ = try await port.read(timeout: nil)
            #expect(loop.now >= .milliseconds(200))
        }
    }

    @Test("It speaks by itself, once or again and again until it has nothing to say")
    func unasked() async throws {
        try await withScale { loop, scale, port async throws in
            scale.send("hello")
            #expect(try await arrived(on: port) == "hello\r\n")
            let left = Protected(3)
            scale.send(every: .seconds(1)) {
                left.withLock { left in
                    left -= 1
                    return left < 0 ? nil : "\(left)"
                }
            }
            var heard = ""
            for _ in 0..<6 {
                heard += try await arrived(on: port)
                try await loop.sleep(for: .milliseconds(500))
            }
            #expect(heard == "2\r\n1\r\n0\r\n")
        }
    }
}
