import BoardScripts
import DeviceKit
import DeviceRuntime
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

@Suite("Replaying what was recorded")
struct ReplayTests {
    static let doorbell = """
        device: porch
        devices:
          motion: { driver: motion-sensor, pin: GPIO17, warm-up: 60s }
          bell: { driver: button, pin: GPIO27 }
          arm: { driver: servo, pwm: PWM0 }
          sign: { driver: ht16k33, bus: I2C1 }
          camera: { driver: camera }
        rules:
          - { when: bell.pressed, do: [ sign.show: "HEY!", camera.capture ] }
          - { when: motion.started, unless: arm.moving, do: [ arm.sweep: { from: 20deg, to: 160deg, over: 800ms } ] }
          - { when: motion.ended, do: sign.clear }
        """

    static func configuration(_ source: String) throws -> Configuration {
        try Configuration.read(
            source.utf8, file: "test.yaml", drivers: standardDrivers, backends: [], boards: Configuration.boards)
    }

    /// Records some minutes of a simulated porch, whose board had been up for half a minute.
    static func record(_ source: String = doorbell, for time: Duration = .seconds(300)) throws -> BoardScript {
        let configuration = try configuration(source)
        let folder = try TemporaryDirectory()
        let lines = Protected<[ScriptLine]>([])
        let recorder = ScriptRecorder { line in lines.withLock { $0.append(line) } }
        let loop = try EventLoop(time: .virtual, noteTimers: { recorder.noteTimer(at: $0) })
        try loop.run {
            let simulated = SimulatedBoard(loop: loop, seed: 7)
            let world = try SimulatedWorld(configuration, on: simulated)
            try await loop.sleep(for: .seconds(30))
            recorder.begin(on: loop, date: "2026-03-01T07:30:00.250Z", board: simulated.name)
            let environment = Daemon.Environment(
                loop: loop, board: ScriptBoard(recording: simulated, to: recorder), stateDirectory: folder.path,
                wallClock: .system(on: loop), logger: Logger(RecordingLogSink()),
                makeBackend: StorageKind.makeStandardBackend)
            let daemon = try Daemon(configuration, environment)
            let told = daemon.devices.observe { change in
                if case .event(let event) = change { recorder.note(event) }
                if case .asked(let device, let command) = change, let words = command.words {
                    recorder.noteCommand(words, for: device)
                }
            }
            defer { told.cancel() }
            try await daemon.run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await world.receiveVisitors(every: .seconds(60)) }
                    group.addTask {
                        // Somebody gives a command, in the middle of things.
                        try await loop.sleep(for: .milliseconds(33_333))
                        guard let arm = daemon.devices["arm"] else { return }
                        let words = ["move", "to=45deg", "over=1s"]
                        let command = try ControlVerb.commandGiven(by: words, for: arm)
                        try await daemon.devices.perform(command, on: "arm")
                    }
                    try await loop.sleep(for: time)
                    group.cancelAll()
                }
                recorder.noteStop()
            }
        }
        return try BoardScript(BoardScript(lines.withLock { $0 }).description)
    }

    /// Plays a trace, and returns where the devices did something else.
    static func replay(_ trace: BoardScript, _ source: String = doorbell) throws -> ScriptDifference? {
        let folder = try TemporaryDirectory()
        do {
            let summary = try Replay(try configuration(source), trace: trace, directory: folder.path).run()
            #expect(summary.operations > 0)
            return nil
        } catch let difference as ScriptDifference {
            return difference
        }
    }

    @Test("A porch does the same again, as often as one likes, and its text is read as it was written")
    func same() throws {
        let trace = try Self.record()
        let text = trace.description
        for line in [
            "bell: tells pressed at ", "arm: told \"move\" \"to=45deg\" \"over=1s\"", "arm: tells moved degrees=45",
            "camera: tells captured", "PWM0: pulse", "I2C1 0x70: write",
        ] {
            #expect(text.contains(line), "\(line)")
        }
        for _ in 0..<2 {
            let difference = try Self.replay(try BoardScript(text))
            #expect(difference?.description == nil)
        }
    }

    @Test(
        "Another configuration does something else, which is shown at its first place",
        arguments: [
            ("HEY!", "HEY?", ScriptDifference.Kind.different, "I2C1 0x70: write 00"),
            ("20deg", "21deg", .different, "PWM0: pulse"), ("over: 800ms", "over: 790ms", .different, "PWM0: pulse"),
            ("GPIO27 }", "GPIO27, pull: none }", .different, "GPIO27: open input disabled active low"),
            ("camera.capture", "arm.move: 5deg", .unexpected, "+   "),
            ("when: motion.ended", "when: motion.started", .missing, "I2C1 0x70: write"),
            ("camera.capture ]", "]", .missing, "camera of camera: picture of \"bell.pressed\""),
            ("GPIO27 }", "GPIO27, settle: 100ms }", .missing, "GPIO27: read"),
            ("{ driver: camera }", "{ driver: camera, deadline: 9s }", .different, "within 9s"),
            ("bell: { driver: button, pin: GPIO27 }", "bell: { driver: button, pin: GPIO26 }", .unexpected, "GPIO26"),
        ])
    func changed(old: String, new: String, kind: ScriptDifference.Kind, said: String) throws {
        let source = Self.doorbell.replacing(old, with: new)
        #expect(source != Self.doorbell)
        let difference = try Self.replay(try Self.record(), source)
        #expect(difference?.kind == kind, "\(difference?.description ?? "")")
        #expect(difference?.description.contains(said) == true, "\(difference?.description ?? "")")
    }

    @Test(
        "A driver that tells more, less or something else differs",
        arguments: [
            ("bell: tells pressed", "bell: tells released", ScriptDifference.Kind.different, "+"),
            ("arm: tells moved degrees=160", "arm: tells moved degrees=159", .different, "degrees=160"),
        ])
    func told(old: String, new: String, kind: ScriptDifference.Kind, said: String) throws {
        let text = try Self.record().description
        let place = try #require(text.firstRange(of: old))
        let difference = try Self.replay(try BoardScript(text.replacingCharacters(in: place, with: new)))
        #expect(difference?.kind == kind)
        #expect(difference?.description.contains(said) == true, "\(difference?.description ?? "")")
    }

    @Test("A part that fails and comes back does so again, with its errors and pauses")
    func recovery() throws {
        // Nobody is on the bus: the world has no model for another name.
        let source = Self.doorbell.replacing("bus: I2C1", with: "bus: I2C1, address: 0x71")
        let trace = try Self.record(source)
        // As if nobody had answered at first.
        #expect(try Self.replay(trace, source) == nil)
    }

    @Test("What was recorded on a real kernel replays here to the same")
    func golden() throws {
        let folder = "\(projectFolder)/Tests/Recordings"
        let trace = try BoardScript(String(decoding: try Files.read("\(folder)/porch.trace"), as: UTF8.self))
        let state = try TemporaryDirectory()
        let configuration = try Configuration.read("\(folder)/porch.yaml")
        do {
            let summary = try Replay(configuration, trace: trace, directory: state.path).run()
            #expect(summary.operations > 40)
        } catch let difference as ScriptDifference {
            Issue.record("\(difference)\n\nif a driver does so on purpose, record it anew: make golden")
        }
        #expect(trace.start?.board == "kernel")
    }

    @Test("What is no recording is refused")
    func noRecording() throws {
        let script = try BoardScript("GPIO5: write high")
        let folder = try TemporaryDirectory()
        #expect(throws: Replay.NoRecording.self) {
            _ = try Replay(try Self.configuration(Self.doorbell), trace: script, directory: folder.path).run()
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: text)
        return copy
    }
}
