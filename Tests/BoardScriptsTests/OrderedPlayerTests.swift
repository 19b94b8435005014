import BoardScripts
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Playing a script without times")
struct OrderedPlayerTests {
    /// Runs `body` on a board that plays the script, and returns how it differed.
    static func play(
        _ text: String, _ body: @escaping @Sendable (EventLoop, SimulatedBoard, any Board) async throws -> Void
    ) async throws -> ScriptDifference? {
        let script = try BoardScript(text)
        return try await EventLoop.run(time: .virtual) { loop in
            let simulated = SimulatedBoard(loop: loop)
            let player = ScriptPlayer(script, loop: loop)
            do {
                try await body(loop, simulated, ScriptBoard(playing: player, over: simulated))
            } catch is ScriptDifference {}
            do { try player.finish() } catch let difference as ScriptDifference { return difference }
            return nil
        }
    }

    static func sensor(on board: any Board) async throws -> any I2CDevice {
        try await board.makeI2CDevice(bus: "I2C1", address: try #require(I2CAddress(0x44)), consumer: "test")
    }

    @Test("A driver that follows gets the script's answers, and need not be told about opening and closing")
    func follows() async throws {
        let script = """
            # measure, high repeatability
            I2C1 0x44: write 24 00
            I2C1 0x44: read 3 -> ! noAcknowledge
            perch: pause 15ms
            I2C1 0x44: read 3 -> 61 30 81
            GPIO5: write high
            SPI0.0: exchange 01 80 00 -> 00 03 ff
            PWM0: pulse 1500us
            """
        let difference = try await Self.play(script) { loop, _, board async throws in
            let device = try await Self.sensor(on: board)
            try await device.write([0x24, 0x00])
            let error = await failure(of: PeripheralError.self) { _ = try await device.read(count: 3) }
            #expect(error?.code == .noAcknowledge)
            try await loop.sleep(for: .milliseconds(15))
            let read1 = try await device.read(count: 3)
            #expect(read1 == [0x61, 0x30, 0x81])
            let output = try await board.makeDigitalOutput(
                "GPIO5", DigitalOutputConfiguration(initialLevel: .low), consumer: "test")
            try output.write(.high)
            let speed = try #require(Frequency(hertz: 1_000_000))
            let target = try await board.makeSPIDevice("SPI0.0", SPIConfiguration(maximumSpeed: speed), consumer: "t")
            let read2 = try await target.transfer([1, 0x80, 0])
            #expect(read2 == [0, 3, 0xFF])
            try await board.makePWMOutput("PWM0", consumer: "test").setPulseWidth(.microseconds(1500))
            output.close()
            device.close()
        }
        #expect(difference?.description == nil)
    }

    @Test("Peripherals that the script does not mention are those of the simulated board")
    func mixed() async throws {
        let difference = try await Self.play("I2C1 0x44: write 01") { _, simulated, board async throws in
            let output = try await board.makeDigitalOutput(
                "GPIO5", DigitalOutputConfiguration(initialLevel: .high), consumer: "test")
            let line = try simulated.line("GPIO5")
            #expect(line.level == .high)
            try await Self.sensor(on: board).write([1])
            output.close()
        }
        #expect(difference?.description == nil)
    }

    @Test(
        "The first difference is told with what the script says and what was done",
        arguments: [
            ("I2C1 0x44: write 01", .different, ["- I2C1 0x44: write 01", "+ I2C1 0x44: write 24 00"]),
            (
                "GPIO5: write low\nI2C1 0x44: write 24 00", .different,
                ["- GPIO5: write low", "+ I2C1 0x44: write 24 00"]
            ),
            ("I2C1 0x44: write 24 00", .unexpected, ["    I2C1 0x44: write 24 00", "+ I2C1 0x44: read 2"]),
            (
                "I2C1 0x44: write 24 00\nI2C1 0x44: read 2 -> 01 02\nI2C1 0x44: write 99", .missing,
                ["line 3", "- I2C1 0x44: write 99"]
            ),
            ("I2C1 0x44: write 24 00\nI2C1 0x44: read 2 -> 01", .unreadable, ["- I2C1 0x44: read 2 -> 01"]),
            ("I2C1 0x44: write 24 00 -> yes", .unreadable, ["write 24 00 -> yes"]),
            (
                "I2C1 0x44: write 24 00\nperch: pause 1ms\nI2C1 0x44: read 2 -> 01 02", .early,
                ["before its turn", "- perch: pause 1ms", "+ I2C1 0x44: read 2"]
            ),
            (
                "I2C1 0x44: open checked\nI2C1 0x44: write 24 00\nI2C1 0x44: read 2 -> 01 02", .different,
                ["- I2C1 0x44: open checked", "+ I2C1 0x44: open"]
            ),
            (
                "I2C1 0x44: write 24 00\nI2C1 0x44: read 2 -> 01 02\nI2C1 0x44: close", .missing,
                ["- I2C1 0x44: close"]
            ),
        ] as [(String, ScriptDifference.Kind, [String])])
    func differences(script: String, kind: ScriptDifference.Kind, said: [String]) async throws {
        let difference = try await Self.play(script) { _, _, board async throws in
            let device = try await Self.sensor(on: board)
            try await device.write([0x24, 0x00])
            _ = try await device.read(count: 2)
        }
        #expect(difference?.kind == kind)
        for words in said {
            #expect(difference?.description.contains(words) == true, "\(difference?.description ?? "")")
        }
    }

    @Test("A driver that swallows the error does not hide the difference")
    func swallowed() async throws {
        let difference = try await Self.play("I2C1 0x44: write 01") { _, _, board async throws in
            let device = try await Self.sensor(on: board)
            try? await device.write([2])
            try? await device.write([1])
        }
        #expect(difference?.kind == .different)
        #expect(difference?.found?.request == "write 02")
    }

    @Test("What a line tells comes in after what is before it, and its level goes with it")
    func events() async throws {
        let script = """
            GPIO27: falling
            GPIO5: write high
            perch: pause 50ms
            GPIO27: rising
            GPIO5: write low
            GPIO27: failed ! io "it is gone"
            """
        let heard = Protected<[String]>([])
        let difference = try await Self.play(script) { loop, _, board async throws in
            let input = try await board.makeDigitalInput("GPIO27", DigitalInputConfiguration(), consumer: "test")
            let output = try await board.makeDigitalOutput(
                "GPIO5", DigitalOutputConfiguration(initialLevel: .low), consumer: "test")
            let read3 = try input.read()
            #expect(read3 == .high)
            try input.setEventHandler { event in
                let level = (try? input.read()).map { "\($0)" } ?? "?"
                heard.withLock { $0.append("\(loop.now): \(event.edge.map { "\($0.edge)" } ?? "failed"), \(level)") }
                if let edge = event.edge { try? output.write(edge.edge.level.inverted) }
            }
            try await loop.sleep(for: .seconds(1))
            input.close()
            #expect(heard.withLock { $0.count } == 3)
        }
        #expect(difference?.description == nil)
        #expect(
            heard.withLock { $0 } == [
                "0.0 seconds: falling, low", "0.05 seconds: rising, high", "0.05 seconds: failed, high",
            ])
    }

    @Test("What a port brings waits for who reads, and who reads waits for it")
    func serial() async throws {
        let script = """
            SERIAL0: write "AT\\r\\n"
            SERIAL0: receive -> "OK"
            perch: pause 1s
            SERIAL0: receive -> "\\r\\n"
            SERIAL0: receive -> break
            """
        let difference = try await Self.play(script) { loop, _, board async throws in
            let port = try await board.makeSerialPort("SERIAL0", SerialConfiguration(baudRate: 9600), consumer: "test")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let read4 = try await port.read(timeout: nil)
                    #expect(read4 == .bytes(Array("OK".utf8)))
                    let late = await failure(of: PeripheralError.self) {
                        _ = try await port.read(timeout: .milliseconds(100))
                    }
                    #expect(late?.code == .timedOut)
                    let read5 = try await port.read(timeout: nil)
                    #expect(read5 == .bytes([0x0D, 0x0A]))
                    #expect(loop.now == .seconds(2))
                    let read6 = try await port.read(timeout: nil)
                    #expect(read6 == .lineBreak)
                }
                try await loop.sleep(for: .seconds(1))
                try await port.write(Array("AT\r\n".utf8))
                try await group.waitForAll()
            }
            port.close()
        }
        #expect(difference?.description == nil)
    }
}
