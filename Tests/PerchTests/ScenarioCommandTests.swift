import DeviceRuntime
import TestSupport
import Testing

@Suite("perch test, perch faults and --fault")
struct ScenarioCommandTests {
    private static let configuration = """
        device: porch
        devices:
          bell: { driver: button, pin: GPIO27 }
          sign: { driver: ht16k33 }
        rules:
          - { name: greet, when: bell.pressed, do: [ sign.show: "HEY!" ] }

        """

    /// A folder with a configuration and its scenarios, in which somebody rings and reads `text`.
    private static func folder(expecting text: String) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write(configuration, to: "perch.yaml")
        try folder.write(
            """
            configuration: perch.yaml
            scenarios:
              - name: somebody rings
                steps:
                  - { at: 1s, do: [ bell.press ] }
                  - { at: 1s, expect: { sign.text: "\(text)" }, within: 2s }

            """, to: "perch.scenarios.yaml")
        return folder
    }

    private static func test(_ text: String) throws -> (text: String, code: Int32) {
        let folder = try folder(expecting: text)
        return try CommandLineTests.perch("test", folder.path)
    }

    @Test("What holds ends with 0, what does not with 1 and with what was there instead")
    func outcome() throws {
        let good = try Self.test("HEY!")
        #expect(good.code == 0, "\(good.text)")
        let bad = try Self.test("BYE!")
        #expect(bad.code == 1)
        #expect(bad.text.contains("BYE!") && bad.text.contains("HEY!") && bad.text.contains("greet"), "\(bad.text)")
    }

    @Test("Other programs get the result in their formats", arguments: [("tap", "1..1"), ("junit", "<testsuites")])
    func formats(format: String, text: String) throws {
        let folder = try Self.folder(expecting: "BYE!")
        let (output, code) = try CommandLineTests.perch("test", folder.path, "--format", format)
        #expect(code == 1)
        #expect(output.contains(text), "\(output)")
    }

    @Test("No scenarios, a wrong file and a wrong format are each said, not passed")
    func nothing() throws {
        let empty = try TemporaryDirectory()
        #expect(try CommandLineTests.perch("test", empty.path).code != 0)
        let folder = try Self.folder(expecting: "HEY!")
        #expect(try CommandLineTests.perch("test", folder.path, "--format", "html").code == 64)
        try folder.write(
            "configuration: perch.yaml\nscenarios:\n  - name: x\n    stps: []\n", to: "perch.scenarios.yaml")
        let (text, code) = try CommandLineTests.perch("test", folder.path)
        #expect(code == 65)
        #expect(text.contains("perch.scenarios.yaml:4:5") && text.contains("did you mean 'steps'?"), "\(text)")
    }

    @Test("Each kind of fault is listed, and each explains itself with an example")
    func faults() throws {
        let (list, code) = try CommandLineTests.perch("faults")
        #expect(code == 0)
        let kinds = list.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(kinds.contains("unplug") && kinds.contains("nack") && kinds.contains("step-clock"), "\(list)")
        let one = try CommandLineTests.perch("faults", "unplug")
        #expect(one.code == 0)
        #expect(one.text.contains("for"), "\(one.text)")
        let wrong = try CommandLineTests.perch("faults", "unplg")
        #expect(wrong.code == 64)
        #expect(wrong.text.contains("did you mean 'unplug'?"), "\(wrong.text)")
    }

    @Test(
        "A fault on the command line is read before anything runs",
        arguments: [
            ("unplug: sgn, at: 1s", "did you mean 'sign'?"), ("unplg: sign", "did you mean 'unplug'?"),
            ("unplug: sign, at: soon", "expected a duration"), ("", "a fault is missing"),
        ])
    func wrongFault(fault: String, text: String) throws {
        let folder = try Self.folder(expecting: "HEY!")
        let (output, code) = try CommandLineTests.perch(
            "simulate", "-c", "\(folder.path)/perch.yaml", "--for", "1min", "--fault", fault)
        #expect(code == 64)
        #expect(output.contains(text), "\(output)")
    }

    @Test("A fault on the command line comes at its time and goes")
    func fault() throws {
        let folder = try Self.folder(expecting: "HEY!")
        let (output, code) = try CommandLineTests.perch(
            "simulate", "-c", "\(folder.path)/perch.yaml", "--for", "2min", "--seed", "7", "--fault",
            "unplug: sign, at: 10s, for: 30s")
        #expect(code == 0)
        #expect(output.contains("unplug"), "\(output)")
    }
}
