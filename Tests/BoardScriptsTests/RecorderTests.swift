import BoardScripts
import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Recording a board")
struct RecorderTests {
    /// Runs `body` with a simulated board behind a recorder and returns what is recorded.
    static func record(
        _ body: @escaping @Sendable (EventLoop, SimulatedBoard, any Board) async throws -> Void
    ) async throws -> [ScriptLine] {
        let lines = Protected<[ScriptLine]>([])
        try await EventLoop.run(time: .virtual) { loop in
            let simulated = SimulatedBoard(loop: loop)
            let recorder = ScriptRecorder(clock: loop) { line in lines.withLock { $0.append(line) } }
            try await body(loop, simulated, ScriptBoard(recording: simulated, to: recorder))
        }
        return lines.withLock { $0 }
    }

    @Test("Lines, groups and pulses are written down with what they were set to and what they said")
    func lines() async throws {
        let lines = try await Self.record { loop, simulated, board async throws in
            let input = try await board.makeDigitalInput(
                "GPIO27", DigitalInputConfiguration(bias: .pullUp, activeLevel: .low), consumer: "test")
            try input.setEventHandler { _ in }
            _ = try input.read()
            try await loop.sleep(for: .seconds(1))
            try simulated.line("GPIO27").drive(.low)
            try await loop.sleep(for: .milliseconds(1))
            input.close()
            input.close()
            let output = try await board.makeDigitalOutput(
                "GPIO5", DigitalOutputConfiguration(initialLevel: .low, drive: .openDrain), consumer: "test")
            try output.write(.high)
            output.close()
            let group = try await board.makeDigitalOutputGroup(
                ["GPIO6", "GPIO7"], initialLevels: [.low, .high], drive: .pushPull, consumer: "test")
            try group.write([.high, .low])
            group.close()
            let pwm = try await board.makePWMOutput("PWM0", consumer: "test")
            try await pwm.setPeriod(.milliseconds(20))
            try await pwm.setPulseWidth(.nanoseconds(1_888_889))
            try await pwm.enable()
            _ = try await pwm.settings()
            await pwm.close()
        }
        #expect(
            lines.map(\.description) == [
                "    0.000000000  GPIO27: open input pull-up active low", "    0.000000000  GPIO27: read -> high",
                "    1.000000000  GPIO27: falling #1", "    1.001000000  GPIO27: close",
                "    1.001000000  GPIO5: open output low open-drain", "    1.001000000  GPIO5: write high",
                "    1.001000000  GPIO5: close", "    1.001000000  GPIO6+GPIO7: open outputs low high",
                "    1.001000000  GPIO6+GPIO7: write high low", "    1.001000000  GPIO6+GPIO7: close",
                "    1.001000000  PWM0: open -> hardware", "    1.001000000  PWM0: period 20ms",
                "    1.001000000  PWM0: pulse 1888889ns", "    1.001000000  PWM0: enable",
                "    1.001000000  PWM0: settings -> period 20ms pulse 1888889ns normal enabled",
                "    1.001000000  PWM0: close",
            ])
    }

    @Test("Buses and ports are written down with what was read, what failed and how long it took")
    func buses() async throws {
        let address = try #require(I2CAddress(0x48))
        let speed = try #require(Frequency(hertz: 1_000_000))
        let lines = try await Self.record { loop, simulated, board async throws in
            let registers = RegistersModel()
            registers[0x10] = 0xAB
            try simulated.i2cBus("I2C1").attach(registers, at: address)
            let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
            _ = try await device.readRegister(0x10)
            _ = try await device.readWord(0x10)
            try simulated.i2cBus("I2C1").detach(address)
            await #expect(throws: PeripheralError.self) { try await device.write([1, 2]) }
            device.close()
            try simulated.spiTarget("SPI0.0").attach(SPIStreamModel { UInt8(exactly: $0.count) ?? 0 })
            let target = try await board.makeSPIDevice(
                "SPI0.0", SPIConfiguration(maximumSpeed: speed), consumer: "test")
            _ = try await target.transfer([.write([0x9F]), SPISegment(.read(count: 2), delay: .microseconds(10))])
            target.close()
            let model = SerialLinesModel(on: try simulated.serialPort("SERIAL0")) { ["re: \($0)"] }
            let port = try await board.makeSerialPort(
                "SERIAL0", SerialConfiguration(baudRate: 9600, parity: .even), consumer: "test")
            try await port.write(Array("hi\r\n".utf8))
            _ = try await port.read(timeout: .seconds(1))
            await #expect(throws: PeripheralError.self) {
                while true { _ = try await port.read(timeout: .milliseconds(50)) }
            }
            port.close()
            #expect(model.lines == ["hi"])
        }
        let said = lines.map { line in
            ScriptLine(source: line.source, request: line.request, answer: line.answer).description
        }
        #expect(
            said.filter { !$0.contains("SERIAL0: receive") } == [
                "I2C1 0x48: open -> 0x\(String(I2CFunctionality.bitBanged.rawValue, radix: 16))",
                "I2C1 0x48: write 10, read 1 -> ab", "I2C1 0x48: read-word 10 -> ab 00",
                "I2C1 0x48: write 01 02 -> ! noAcknowledge \"I2C1 0x48 did not acknowledge\" cause \"ENXIO (6)\" "
                    + "advice \"check its power, its wiring and its address\"",
                "I2C1 0x48: close", "SPI0.0: open mode 0 1000000Hz -> 4096 bytes",
                "SPI0.0: write 9f, read 2 delay 10us -> 02 03", "SPI0.0: close", "SERIAL0: open 9600 8E1",
                "SERIAL0: write \"hi\\r\\n\"", "SERIAL0: close",
            ])
        let received = said.filter { $0.contains("SERIAL0: receive") }
        #expect(received.first?.contains("receive within 1s -> \"re: hi\\r\\n\"") == true)
        #expect(received.last?.contains("receive within 50ms -> ! timedOut") == true)
        // Four bytes of nine clocks at 100 kHz.
        #expect(lines[1].took == .microseconds(360))
    }

    @Test("A sensor of the kernel and a picture are written down, and play again")
    func others() async throws {
        let program: @Sendable (EventLoop, any Board) async throws -> String = { loop, board in
            let sensor = try await board.makeKernelSensor(.init(.hwmon, "cpu_thermal"), consumer: "test")
            let camera = try await board.makeStillCamera(
                StillCameraConfiguration(command: ["camera", "{}"], deadline: .seconds(5)), consumer: "eye")
            let names = try await sensor.attributes()
            let text = try await sensor.read("temp1_input")
            sensor.close()
            let path = "\(try Files.makeTemporaryDirectory(prefix: "perch-test"))/picture"
            defer { try? Files.removeTree(Files.parent(of: path)) }
            let mediaType = try await camera.takePicture(to: path, caption: "bell.pressed")
            return "\(names) \(text) \(mediaType) \(try Files.size(of: path) ?? 0)"
        }
        let said = Protected("")
        let lines = try await Self.record { loop, simulated, board async throws in
            let sensor = simulated.addKernelSensor(.init(.hwmon, "cpu_thermal"))
            sensor["name"] = "cpu_thermal"
            sensor["temp1_input"] = "45123"
            let text = try await program(loop, board)
            said.withLock { $0 = text }
        }
        let text = BoardScript(lines).description
        #expect(text.contains("hwmon:cpu_thermal: attributes -> name temp1_input"))
        #expect(text.contains("hwmon:cpu_thermal: read temp1_input -> \"45123\""))
        #expect(text.contains("camera of eye: open \"camera\" \"{}\" within 5s"))
        #expect(text.contains("camera of eye: picture of \"bell.pressed\" -> image/png "))
        let script = try BoardScript(text)
        let again = try await EventLoop.run(time: .virtual) { loop in
            let player = ScriptPlayer(script, loop: loop)
            let said = try await program(loop, ScriptBoard(playing: player, over: SimulatedBoard(loop: loop)))
            try player.finish()
            return said
        }
        #expect(again == said.withLock { $0 })
        #expect(again.hasPrefix("[\"name\", \"temp1_input\"] 45123 image/png "))
    }

    @Test("A timer from which nothing followed is written down, one of which something came is not")
    func timers() throws {
        let lines = Protected<[String]>([])
        let recorder = ScriptRecorder { line in lines.withLock { $0.append("\(line)") } }
        let loop = try EventLoop(time: .virtual, noteTimers: { recorder.noteTimer(at: $0) })
        try loop.run {
            recorder.begin(on: loop, date: "2026-03-01T07:30:00.250Z", board: "simulated")
            try await loop.sleep(for: .seconds(7))
            #expect(lines.withLock { $0 } == [])
            recorder.note(Event(device: "bell", name: "released", timestamp: loop.now))
            try await loop.sleep(for: .seconds(1))
            try await loop.sleep(for: .seconds(1))
            recorder.note(
                Event(
                    device: "bell", name: "pressed", timestamp: .milliseconds(8980),
                    fields: [.init("text", .text("a b")), .init("seconds", .number(0.25))]))
            try await loop.sleep(for: .seconds(1))
            recorder.noteStop()
        }
        #expect(
            lines.withLock { $0 } == [
                "    0.000000000  perch: start 7.000000000 s after boot, 2026-03-01T07:30:00.250Z, on simulated",
                "    0.000000000  bell: tells released",
                "    1.000000000* perch: timer",
                "    2.000000000* bell: tells pressed at 1.980000000 text=\"a b\" seconds=0.25",
                "    3.000000000* perch: stop",
            ])
    }
}
