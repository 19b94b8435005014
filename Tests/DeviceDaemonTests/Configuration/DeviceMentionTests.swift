import DeviceDaemon
import Testing

@Suite("What options say of other devices, and of events")
struct DeviceMentionTests {
    /// The messages for devices and rules of the drivers that come with Perch.
    private static func messages(_ devices: String, rules: String = "[]") -> [String] {
        do {
            _ = try Configuration.read(
                "device: porch\nboard: simulated\ndevices:\n\(devices)\nrules: \(rules)\n".utf8, file: "perch.yaml",
                drivers: standardDrivers, backends: [], boards: Configuration.boards)
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    private static let buttons =
        "  up: { driver: button, pin: GPIO5, clicks: 1 }\n  down: { driver: button, pin: GPIO6 }\n"

    @Test(
        "A chord names buttons that are there",
        arguments: [
            ("[up, down]", nil),
            ("[up, dawn]", "perch.yaml:6:36: buttons: unknown device 'dawn'; did you mean 'down'?"),
            ("[up, chord]", "perch.yaml:6:36: buttons: 'chord' has the driver chord, not button"),
            ("up", "buttons: expected a list of two or more devices with the driver button, such as [up, down]"),
            ("[up]", "buttons: expected a list of two or more"),
            ("[up, up]", "buttons: expected a list of two or more"),
        ])
    func chord(buttons: String, expected: String?) {
        let messages = Self.messages(Self.buttons + "  chord: { driver: chord, buttons: \(buttons) }")
        #expect(messages.count == (expected == nil ? 0 : 1), "\(messages)")
        if let expected { #expect(messages.first?.contains(expected) == true, "\(messages)") }
    }

    @Test("A chord may stand before its buttons")
    func order() {
        #expect(Self.messages("  chord: { driver: chord, buttons: [up, down] }\n" + Self.buttons) == [])
    }

    @Test("A rule for an event that the device's options leave out is an error that says what it needs")
    func needs() {
        let rule = { (event: String) in "[ { when: \(event), do: { sign.clear: } } ]" }
        let sign = "  sign: { driver: ht16k33 }"
        #expect(Self.messages(Self.buttons + sign, rules: rule("up.clicked")) == [])
        let messages = Self.messages(Self.buttons + sign, rules: rule("down.clicked"))
        #expect(
            messages.first?.hasSuffix("down never tells 'clicked' as it is set: it needs clicks of 1 or more") == true,
            "\(messages)")
        let long = Self.messages(Self.buttons + sign, rules: rule("down.long-pressed"))
        #expect(
            long.first?.hasSuffix("down never tells 'long-pressed' as it is set: it needs long-press to be set")
                == true,
            "\(long)")
    }
}
