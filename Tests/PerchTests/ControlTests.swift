import DeviceRuntime
import Glibc
import TestSupport
import Testing

@Suite("Asking the running daemon")
struct ControlTests {
    private static let configuration = """
        device: porch
        devices:
          bell: { driver: button, pin: GPIO27 }
          sign: { driver: ht16k33 }
        rules:
          - { when: bell.pressed, do: [ sign.show: "HEY!" ] }
        storage: { photos: { backend: directory, path: photos } }

        """

    /// A daemon whose devices run.
    private static func start(
        _ configuration: String = configuration, running: Int = 2
    ) throws -> (Site, RunningProcess) {
        let site = try Site(configuration)
        let daemon = try site.start()
        try site.manager.receive(containing: "STATUS=\(running) of")
        return (site, daemon)
    }

    @Test("The status names each device and storage, and its exit code says that all is well")
    func status() throws {
        let (site, daemon) = try Self.start()
        let (text, code) = try site.ask("status")
        #expect(code == 0)
        for part in ["porch on board simulated", "bell    button   running", "photos   directory  0 waiting"] {
            #expect(text.contains(part), "\(text)")
        }
        let json = try site.ask("status", "--json").text
        #expect(
            json.hasPrefix(#"{"board":"simulated","device":"porch","devices":[{"driver":"button","health":"running""#))
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("The metrics are what Prometheus reads, and count what has happened")
    func metrics() throws {
        let (site, daemon) = try Self.start()
        #expect(try site.ask("send", "sign", "show", "BYE").code == 0)
        let (text, code) = try site.ask("metrics")
        #expect(code == 0)
        for line in [
            #"perch_device_commands_total{device="sign"} 1"#, #"perch_device_running{device="bell",driver="button"} 1"#,
            #"perch_outbox_waiting_records{storage="photos",backend="directory"} 0"#, "perch_well 1",
        ] {
            #expect(text.split(separator: "\n").contains(Substring(line)), "\(text)")
        }
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("The metrics file is there while the daemon runs, for everybody to read, and gone afterwards")
    func metricsFile() throws {
        let site = try Site("")
        let file = "\(site.folder.path)/perch.prom"
        try site.write(Self.configuration + "metrics: { file: \(file), every: 1s }\n")
        let daemon = try site.start()
        try site.manager.receive(containing: "STATUS=2 of")
        var status = stat()
        for _ in 0..<600 where stat(file, &status) != 0 { usleep(100_000) }
        #expect(status.st_mode & 0o777 == 0o644)
        #expect(try String(decoding: Files.read(file), as: UTF8.self).hasPrefix("# HELP perch_info "))
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try Files.size(of: file) == nil)
        #expect(try Files.size(of: "\(file).new") == nil)
    }

    @Test("What a simulated part cannot do is said, and the daemon goes on")
    func impossible() throws {
        let (site, daemon) = try Self.start(
            "device: porch\ndevices: { hall: { driver: motion-sensor, pin: [GPIO17, GPIO22] } }\n", running: 1)
        let refusal = try site.ask("sim", "walk-past", "hall", "at=GPIO3")
        #expect(refusal.code == 64)
        #expect(refusal.text.contains("hall.walk-past: there is no sensor at 'GPIO3'; there are GPIO17, GPIO22"))
        #expect(try site.ask("sim", "walk-past", "hall", "at=GPIO22").code == 0)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A simulated board shows its parts and who holds which line, and something can go wrong on it")
    func faults() throws {
        let (site, daemon) = try Self.start()
        let picture = try site.ask("sim").text
        #expect(picture.contains("GPIO27  input high, held by bell"), "\(picture)")
        #expect(!picture.contains("GPIO17"))
        // Nothing writes to the sign before somebody rings.
        #expect(try site.ask("sim", "fault", "unplug: sign, for: 1h").code == 0)
        #expect(try site.ask("send", "sign", "show", "BYE").code == 0)
        try daemon.line(containing: "I2C1 0x70 did not acknowledge")
        #expect(try site.ask("status").code == 1)
        for (text, message) in [
            ("unplg: sign", "did you mean 'unplug'?"), ("unplug: sgn", "did you mean 'sign'?"),
            ("unplug: sign, at: 10s", "it begins now: leave 'at' out"), ("", "a fault is missing"),
        ] {
            let refusal = try site.ask("sim", "fault", text)
            #expect(refusal.code == 64)
            #expect(refusal.text.contains(message), "\(refusal.text)")
        }
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("Of a part that shows nothing, a simulated board says what can happen to it")
    func invisible() throws {
        let (site, daemon) = try Self.start(
            "device: porch\ndevices:\n  knob: { driver: rotary-encoder, a: GPIO23, b: GPIO24 }\n", running: 1)
        let picture = try site.ask("sim").text
        #expect(
            picture.contains("knob (rotary-encoder)  nothing to be seen; what can happen to it: turn\n"), "\(picture)")
        #expect(try site.ask("sim", "turn", "knob", "-3").code == 0)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A device that fails makes the status end with 1, and it says why")
    func failing() throws {
        let (site, daemon) = try Self.start(
            "device: porch\ndevices:\n  arm: { driver: servo, pwm: PWM9 }\n  bell: { driver: button, pin: GPIO27 }\n",
            running: 1)
        let (text, code) = try site.ask("status")
        #expect(code == 1)
        #expect(text.contains("failing, 1×: board simulated has no PWM channel PWM9"), "\(text)")
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A part does what it is told, and what happens to the simulated one is seen by who watches")
    func commands() throws {
        let (site, daemon) = try Self.start()
        #expect(try site.ask("send", "sign", "show", "BYE").code == 0)
        #expect(try site.ask("sim", "show").text.contains("text: BYE"))
        let watcher = try RunningProcess([RunningProcess.perch, "events", "--state", site.state])
        try watcher.line(containing: "watching porch")
        #expect(try site.ask("sim", "press", "bell", "for=50ms").code == 0)
        try watcher.line(containing: "sign.show was done because of bell.pressed")
        #expect(try site.ask("sim").text.contains("text: HEY!"))
        #expect(watcher.end(SIGTERM) != 0)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test(
        "What cannot be done is said, with what can",
        arguments: [
            (["send"], 64, "expected a device and a command"), (["send", "sgn", "show"], 64, "did you mean 'sign'?"),
            (["send", "sign", "shw"], 64, "sign has no command 'shw'; did you mean 'show'?"),
            (["send", "sign"], 64, "expected a command of sign: "),
            (["send", "bell", "ring"], 64, "bell takes no commands"),
            (["send", "sign", "show"], 64, "sign show: text is missing; expected a text"),
            (["sim", "prss", "bell"], 64, "did you mean 'press'?"),
            (["sim", "press"], 64, "expected what to press: bell"),
            (["sim", "press", "bell", "for=ever"], 64, "expected a duration"),
            (["send", "sign", "brightness", "-1"], 64, "from 0 to 16, such as 10; found '-1'"),
            (["send", "sign", "show", "a", "b"], 64, "'b' is one argument too many"),
            (["status", "quickly"], 64, "expected nothing or --json"),
        ] as [([String], Int32, String)])
    func refusals(words: [String], code: Int32, text: String) throws {
        let (site, daemon) = try Self.start()
        let (lines, actual) = try RunningProcess.run([RunningProcess.perch] + words + ["--state", site.state])
        #expect(actual == code)
        #expect(lines.joined(separator: "\n").contains(text), "\(lines)")
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("A wrong configuration is refused with its errors, and a right one applies")
    func reload() throws {
        let (site, daemon) = try Self.start()
        try site.write("device: porch\ndevices:\n  bell: { driver: buton, pin: GPIO27 }\n")
        let (text, code) = try site.ask("reload")
        #expect(code == 78)
        #expect(text.contains("perch.yaml:3:19: unknown driver 'buton'; did you mean 'button'?"), "\(text)")
        try site.write(Self.configuration)
        #expect(try site.ask("reload").code == 0)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test("Without a daemon, and after one that was killed, that is said; the next one takes the socket over")
    func nobody() throws {
        let (site, daemon) = try Self.start()
        #expect(daemon.end(SIGKILL) == 128 + SIGKILL)
        let (text, code) = try site.ask("status")
        #expect(code == 69)
        #expect(text.contains("no perch runs that listens at \(site.state)/control"))
        let next = try site.start()
        try site.manager.receive(containing: "STATUS=2 of")
        #expect(try site.ask("status").code == 0)
        #expect(next.end(SIGTERM) == 0)
        #expect(try Files.size(of: "\(site.state)/control") == nil)
    }

    @Test("Only the daemon's user and group may ask")
    func rights() throws {
        let (site, daemon) = try Self.start()
        var status = stat()
        try systemCall("stat") { stat("\(site.state)/control", &status) }
        #expect(status.st_mode & 0o777 == 0o660)
        #expect(daemon.end(SIGTERM) == 0)
    }

    private static let nonsense: [String: [UInt8]] = [
        "nothing": [], "an empty word": [0], "a thousand empty words": [UInt8](repeating: 0, count: 1000),
        "a word without an end": Array("status".utf8), "an unknown verb": Array("frobnicate\u{0}".utf8),
        "no text": [0xFF, 0xFE, 0], "a megabyte": [UInt8](repeating: 0x41, count: 1_000_000),
        "too many words": Array("send\u{0}sign\u{0}show\u{0}a\u{0}b\u{0}".utf8),
    ]

    @Test("Whoever asks nonsense, or does not wait for the answer, changes nothing", arguments: nonsense.keys.sorted())
    func hostile(request: String) throws {
        let (site, daemon) = try Self.start()
        for _ in 0..<40 {
            let client = try LocalClient(connectingTo: "\(site.state)/control")
            // A request that is too long is not read to its end.
            try? client.send(Self.nonsense[request] ?? [])
        }
        let (text, code) = try site.ask("status")
        #expect(code == 0, "\(text)")
        #expect(daemon.end(SIGTERM) == 0)
    }
}
