import DeviceRuntime
import TestSupport
import Testing

@Suite("The command line")
struct CommandLineTests {
    /// Runs perch to its end.
    static func perch(_ arguments: String...) throws -> (text: String, code: Int32) {
        let (lines, code) = try RunningProcess.run([RunningProcess.perch] + arguments)
        return (lines.joined(separator: "\n"), code)
    }

    @Test(
        "What is wrong with a command line is said, with how it would be right, and the code of sysexits",
        arguments: [
            ([], 64, "usage: perch <verb>"), (["frobnicate"], 64, "there is no 'frobnicate'"),
            (["run", "--bord", "x"], 64, "unknown option --bord"),
            (["simulate", "--for"], 64, "--for needs a value: --for TIME"),
            (["simulate", "--wires=1"], 64, "--wires takes no value"),
            (["drivers", "toaster"], 64, "there is no driver 'toaster'; there are"),
            (
                ["queue", "burn"], 64,
                "expected list, show, flush, retry, export or drop, as in: perch queue list; found 'burn'"
            ),
            (["queue", "drop"], 64, "drop needs the records that are to go, or --rejected for all dead letters"),
            (["queue", "retry", "bell"], 64, "'bell' is no record; expected one as perch queue list shows it"),
            (["queue", "show"], 64, "which record? perch queue list shows them"),
            (["check", "/nonexistent.yaml"], 78, "/nonexistent.yaml: No such file or directory"),
            (["run", "--config", "/nonexistent.yaml"], 78, "name a configuration with -c FILE"),
            (["record", "-c", "x.yaml"], 64, "name the file to write: --output TRACE"),
            (["record", "-c", "x.yaml", "-o", "a", "--for", "5"], 64, "--for: expected a duration"),
            (["replay"], 64, "name one trace"), (["replay", "a", "b"], 64, "name one trace"),
            (["new"], 64, "expected a name, as in: perch new driver soil-sensor"),
            (["new", "driver", "Soil"], 64, "such as soil-sensor; found 'Soil'"),
            (["new", "driver", "soil--sensor"], 64, "found 'soil--sensor'"),
            (["new", "driver", "3d"], 64, "found '3d'"),
            (["new", "driver", "button"], 64, "there is a 'button' in Perch"),
            (["new", "driver", "device"], 64, "'device' would be Device, which is a name in drivers already"),
            (["new", "driver", "x", "--path", "/tmp"], 64, "/tmp is there already; name a new folder"),
            (["new", "driver", "x", "--perch", "/nonexistent"], 64, "--perch /nonexistent: there is no Package.swift"),
            (["queue", "list", "--state", "/nonexistent"], 69, "there is no outbox in /nonexistent"),
        ] as [([String], Int32, String)])
    func wrong(arguments: [String], code: Int32, text: String) throws {
        let (lines, actual) = try RunningProcess.run([RunningProcess.perch] + arguments)
        #expect(actual == code)
        #expect(lines.joined(separator: "\n").contains(text), "\(lines)")
    }

    @Test(
        "Every verb has help, and help is no error",
        arguments: [
            "run", "check", "simulate", "test", "record", "replay", "status", "send", "events", "reload", "sim",
            "queue",
            "verify", "drivers", "backends", "faults", "new", "completion", "manual", "version",
        ])
    func help(verb: String) throws {
        let (text, code) = try Self.perch(verb, "--help")
        #expect(code == 0)
        #expect(text.contains("usage: perch \(verb)"))
    }

    @Test("A wrong value of a flag says what was expected")
    func values() throws {
        let folder = try TemporaryDirectory()
        try folder.write("device: porch\n", to: "perch.yaml")
        let config = "\(folder.path)/perch.yaml"
        for (flag, value, expected) in [
            ("--for", "3", "--for: expected a duration such as 90s, 10min or 24h; found '3'"),
            ("--seed", "-1", "--seed: expected a whole number from 0 on; found '-1'"),
            ("--visitors", "0s", "--visitors: expected a duration from 1ms on"),
            ("--output", folder.path, "the folder is not empty; name a new one"),
        ] {
            let (text, code) = try Self.perch("simulate", "--config", config, flag, value)
            #expect(code == 64)
            #expect(text.contains(expected), "\(text)")
        }
        let (text, code) = try Self.perch("simulate", "--config", config, "--pictures")
        #expect(code == 64)
        #expect(text.contains("--pictures needs --output DIR"), "\(text)")
    }

    @Test("check shows the wiring of a valid file, and all that is wrong in another")
    func check() throws {
        let folder = try TemporaryDirectory()
        try folder.write("device: porch\ndevices:\n  bell: { driver: button, pin: GPIO27 }\n", to: "good.yaml")
        try folder.write(
            "device: porch\nboard: pie\ndevices:\n  bell: { driver: buton, pin: GPIO27 }\n", to: "bad.yaml")
        let good = try Self.perch("check", "\(folder.path)/good.yaml")
        #expect(good.code == 0)
        #expect(good.text.contains("GPIO27"))
        let both = try Self.perch("check", "\(folder.path)/bad.yaml", "\(folder.path)/good.yaml")
        #expect(both.code == 78)
        #expect(both.text.contains("bad.yaml:2:8: unknown board 'pie'"))
        #expect(both.text.contains("bad.yaml:4:19: unknown driver 'buton'; did you mean 'button'?"))
        #expect(both.text.contains("good.yaml: valid"))
    }

    @Test("Every example is accepted")
    func examples() throws {
        let folder = Files.parent(of: Files.parent(of: Files.parent(of: #filePath))) + "/examples"
        var examples = ["\(folder)/doorbell.yaml"]
        try Files.forEachEntry(of: "\(folder)/storage") { examples.append("\(folder)/storage/\($0)") }
        #expect(examples.count >= 7)
        let (lines, code) = try RunningProcess.run([RunningProcess.perch, "check"] + examples)
        #expect(code == 0, "\(lines)")
    }

    @Test("What record writes, replay plays; a difference is shown, and what is no trace refused with its line")
    func replay() throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            "device: porch\ndevices: { bell: { driver: button, pin: GPIO27 }, arm: { driver: servo, pwm: PWM0 } }\n",
            to: "perch.yaml")
        let (config, trace) = ("\(folder.path)/perch.yaml", "\(folder.path)/porch.trace")
        let recorded = try Self.perch(
            "record", "-c", config, "-o", trace, "--board", "simulated", "--for", "100ms", "--state",
            "\(folder.path)/state")
        #expect(recorded.code == 0, "\(recorded.text)")
        #expect(recorded.text.contains("porch.trace: written"))
        let same = try Self.perch("replay", "-c", config, trace)
        #expect(same.code == 0, "\(same.text)")
        #expect(same.text.contains("porch.trace: the same: "))

        let text = String(decoding: try Files.read(trace), as: UTF8.self)
        for (old, new, code, said) in [
            ("period 20ms", "period 21ms", 1, "something else was done than line "),
            ("perch: start", "perch start", 65, "porch.trace:1: expected"),
            ("perch: start", "porch: start", 65, "porch.trace: it does not begin"),
        ] as [(String, String, Int32, String)] {
            try folder.write(text.replacing(old, with: new), to: "porch.trace")
            let other = try Self.perch("replay", "-c", config, trace)
            #expect(other.code == code, "\(other.text)")
            #expect(other.text.contains(said), "\(other.text)")
        }
        #expect(try Self.perch("replay", "-c", config, "/nonexistent").text.contains("/nonexistent: No such file"))
    }
}
