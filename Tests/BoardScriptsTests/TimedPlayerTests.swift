import BoardScripts
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Playing a script with times")
struct TimedPlayerTests {
    /// Something with all kinds of peripherals: on each edge of a line it asks a part over I2C and moves a pulse, by
    /// what was read and by the time; it hears a port beside it.
    @Sendable
    private static func program(_ loop: EventLoop, _ board: any Board, width: Int = 1500) async throws {
        let address = try #require(I2CAddress(0x48))
        let input = try await board.makeDigitalInput("GPIO27", DigitalInputConfiguration(), consumer: "test")
        let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
        let pwm = try await board.makePWMOutput("PWM0", consumer: "test")
        let port = try await board.makeSerialPort("SERIAL0", SerialConfiguration(baudRate: 9600), consumer: "test")
        try await pwm.setPeriod(.milliseconds(20))
        let edges = Protected<[EdgeEvent]>([])
        let pressed = Waiter()
        try input.setEventHandler { event in
            if let edge = event.edge { edges.withLock { $0.append(edge) } }
            pressed.finish()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    guard case .bytes(let bytes) = try await port.read(timeout: nil) else { continue }
                    if bytes.contains(0x0A) { return }
                }
            }
            try await pressed.wait()
            for step in 0..<5 {
                let value = (try? await device.readRegister(0x10)) ?? 0xEE
                // By the time as it is, not as it was meant to be.
                let time = (loop.now - (edges.withLock { $0.first?.timestamp } ?? .zero)) / .nanoseconds(1)
                try await pwm.setPulseWidth(.nanoseconds(width * 1000 + Int(value) + Int(time / 100)))
                try await loop.sleep(for: .milliseconds(step == 3 ? 700 : 30))
            }
            try await port.write([0x06])
            try await group.waitForAll()
        }
        input.close()
        device.close()
        port.close()
        await pwm.close()
    }

    /// Records the program on a simulated board where things happen.
    private static func record() async throws -> String {
        let lines = Protected<[ScriptLine]>([])
        let recorder = ScriptRecorder { line in lines.withLock { $0.append(line) } }
        let loop = try EventLoop(time: .virtual, noteTimers: { recorder.noteTimer(at: $0) })
        try loop.run {
            try await loop.sleep(for: .seconds(1000))
            recorder.begin(on: loop, date: "2026-03-01T07:30:00.250Z", board: "simulated")
            let board = SimulatedBoard(loop: loop)
            let registers = RegistersModel()
            registers[0x10] = 7
            let bus = try board.i2cBus("I2C1")
            let address = try #require(I2CAddress(0x48))
            bus.attach(registers, at: address)
            loop.schedule(after: .seconds(1)) { try? board.line("GPIO27").drive(.high) }
            loop.schedule(after: .seconds(1) + .milliseconds(50)) { registers[0x10] = 9 }
            loop.schedule(after: .seconds(1) + .milliseconds(80)) { bus.detach(address) }
            loop.schedule(after: .seconds(1) + .milliseconds(500)) { try? board.serialPort("SERIAL0").send([1, 2]) }
            loop.schedule(after: .seconds(2)) { try? board.serialPort("SERIAL0").send([0x0A]) }
            try await program(loop, ScriptBoard(recording: board, to: recorder))
            recorder.noteStop()
        }
        return BoardScript(lines.withLock { $0 }).description
    }

    /// Plays a recording, and returns how the program differed from it.
    private static func play(_ text: String, width: Int = 1500) async throws -> ScriptDifference? {
        let script = try BoardScript(text)
        return try await EventLoop.run(time: .virtual) { loop in
            try await loop.sleep(for: script.start?.uptime ?? .zero)
            let player = ScriptPlayer(script, loop: loop)
            let board = ScriptBoard(playing: player, over: SimulatedBoard(loop: loop))
            do {
                try await program(loop, board, width: width)
            } catch is ScriptDifference {} catch is CancellationError {}
            do { try player.finish() } catch let difference as ScriptDifference { return difference }
            return nil
        }
    }

    @Test("A recording is played to the same operations, to the nanosecond")
    func same() async throws {
        let text = try await Self.record()
        let script = try BoardScript(text)
        #expect(script.description == text)
        let difference = try await Self.play(text)
        #expect(difference?.description == nil)
        #expect(text.contains("GPIO27: rising #1"))
        #expect(text.contains("I2C1 0x48: write 10, read 1 -> ! noAcknowledge"))
    }

    @Test("Lateness is played again: what follows from the time comes out as it did")
    func lateness() async throws {
        // As if the loop had been 1.234567 ms late from the second step on.
        let late: Duration = .nanoseconds(1_234_567)
        let text = try await Self.record()
        let script = try BoardScript(text)
        let moment = try #require(script.lines.filter { $0.request.hasPrefix("pulse") }.dropFirst().first?.time)
        let moved = script.lines.map { line in
            var line = line
            guard let time = line.time, time >= moment - .milliseconds(1), !line.source.hasPrefix("SERIAL") else {
                return line
            }
            line.time = time + late
            guard line.request.hasPrefix("pulse"), let width = Int(line.request.filter(\.isNumber)) else { return line }
            line.request = "pulse \(width + Int(late / .nanoseconds(1)) / 100)ns"
            return line
        }
        let late2 = BoardScript(moved.sorted { ($0.time ?? .zero) < ($1.time ?? .zero) })
        let widths = late2.lines.filter { $0.request.hasPrefix("pulse") }.map(\.request)
        #expect(widths != script.lines.filter { $0.request.hasPrefix("pulse") }.map(\.request))
        let difference = try await Self.play(late2.description)
        #expect(difference?.kind == nil, "\(difference?.description ?? "")")
    }

    @Test("Another program differs at the first place where it does")
    func different() async throws {
        let difference = try await Self.play(try await Self.record(), width: 1600)
        #expect(difference?.kind == .different)
        #expect(difference?.expected?.request.hasPrefix("pulse 15") == true)
        #expect(difference?.found?.request.hasPrefix("pulse 16") == true)
        #expect(difference?.description.contains("GPIO27: rising #1") == true)
    }

    @Test(
        "A changed recording differs where it was changed",
        arguments: [
            (
                "I2C1 0x48: write 10, read 1 -> 07", "I2C1 0x48: write 10, read 1 -> 08",
                ScriptDifference.Kind.different, "PWM0: pulse"
            ),
            ("PWM0: period 20ms", "PWM0: period 21ms", .different, "PWM0: period 21ms"),
            ("SERIAL0: write 06", "SERIAL0: write 07", .different, "SERIAL0: write 07"),
            ("PWM0: close", "PWM0: close\n    9.000000000  PWM0: enable", .missing, "PWM0: enable"),
            ("GPIO27: open input", "GPIO26: open input", .unexpected, "GPIO27: open input"),
            ("GPIO27: open input", "perch: timer", .unexpected, "GPIO27: open input"),
        ])
    func changed(old: String, new: String, kind: ScriptDifference.Kind, said: String) async throws {
        var text = try await Self.record()
        let place = try #require(text.firstRange(of: old))
        text.replaceSubrange(place, with: new)
        if let end = text.firstRange(of: "\n    9.000000000  PWM0: enable") {
            // At the end, where its time belongs.
            let line = String(text[end])
            text.removeSubrange(end)
            text += line.dropFirst() + "\n"
        }
        let difference = try await Self.play(text)
        #expect(difference?.kind == kind, "\(difference?.description ?? "")")
        #expect(difference?.description.contains(said) == true, "\(difference?.description ?? "")")
    }

    @Test("Something that comes too early, too late or not at all is told with how much")
    func times() async throws {
        for (delay, kind, said) in [
            (100, ScriptDifference.Kind.early, "line 2 was done 0.100000000 s too early"), (500, nil, ""),
            (515, nil, ""),
            (530, .missing, "what line 3 says was not done in time"),
            (5000, .missing, "-     0.500000000  GPIO5: write low"),
        ] as [(Int, ScriptDifference.Kind?, String)] {
            let script = try BoardScript(
                "0.000000000  GPIO5: open output low\n0.200000000  GPIO5: write high\n0.500000000  GPIO5: write low\n")
            let difference = try await EventLoop.run(time: .virtual) { loop -> ScriptDifference? in
                let player = ScriptPlayer(script, loop: loop)
                let board = ScriptBoard(playing: player, over: SimulatedBoard(loop: loop))
                let output = try await board.makeDigitalOutput(
                    "GPIO5", DigitalOutputConfiguration(initialLevel: .low), consumer: "test")
                try await loop.sleep(until: .milliseconds(min(delay, 200)))
                try? output.write(.high)
                try await loop.sleep(until: .milliseconds(delay))
                try? output.write(.low)
                try await loop.sleep(until: .seconds(1))
                do { try player.finish() } catch let difference as ScriptDifference { return difference }
                return nil
            }
            #expect(difference?.kind == kind, "\(delay): \(difference?.description ?? "")")
            #expect(said.isEmpty || difference?.description.contains(said) == true, "\(difference?.description ?? "")")
        }
    }

    @Test("Whatever stands in a script's text, playing it ends", arguments: 0..<60)
    func damaged(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(try await Self.record().utf8)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: place)
            }
        }
        do {
            _ = try await Self.play(String(decoding: bytes, as: UTF8.self))
        } catch is ScriptSyntaxError {} catch is PeripheralError {} catch is EventLoopStalled {}
    }
}
