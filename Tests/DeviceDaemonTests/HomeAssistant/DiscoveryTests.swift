import DeviceKit
import DeviceRuntime
import Peripherals
import StorageBackends
import TestSupport
import Testing

@testable import DeviceDaemon

/// A configuration with these devices, in YAML's flow style.
func configuration(devices: [String]) throws -> Configuration {
    let source = "device: porch\ndevices:\n" + devices.map { "  \($0)\n" }.joined()
    return try Configuration.read(
        source.utf8, file: "test.yaml", drivers: standardDrivers, backends: standardStorage.map(\.description),
        boards: Configuration.boards)
}

let topics = MQTTTopics(prefix: "perch", device: "porch")

@Suite("What Home Assistant discovers")
struct DiscoveryTests {
    private func messages(_ devices: [String], acceptsCommands: Bool = true) throws -> [String: String] {
        let discovery = DiscoveryMessages(
            prefix: "homeassistant", device: "porch", topics: topics, acceptsCommands: acceptsCommands)
        let messages = discovery.messages(for: try configuration(devices: devices).devices)
        #expect(messages.allSatisfy { $0.isRetained && discovery.isOwn($0.topic) })
        #expect(Set(messages.map(\.topic)).count == messages.count)
        return Dictionary(
            messages.map { ($0.topic, String(decoding: $0.payload, as: UTF8.self)) }, uniquingKeysWith: { $1 })
    }

    /// `text/sign-command-show`, without the board itself.
    private func entities(_ device: String, acceptsCommands: Bool = true) throws -> [String] {
        try messages([device], acceptsCommands: acceptsCommands).keys.map { topic in
            let levels = topic.split(separator: "/")
            return "\(levels[1])/\(levels[3])"
        }.filter { $0 != "binary_sensor/connected" }.sorted()
    }

    @Test(
        "A device appears by its driver's tables",
        arguments: [
            (
                "sign: { driver: ht16k33 }",
                [
                    "binary_sensor/sign-state-moving", "button/sign-command-clear", "number/sign-command-brightness",
                    "number/sign-command-hex", "select/sign-command-blink", "select/sign-command-colour",
                    "text/sign-command-glyph", "text/sign-command-scroll", "text/sign-command-show",
                ]
            ),
            (
                "camera: { driver: camera }",
                [
                    "binary_sensor/camera-state-capturing", "button/camera-command-capture", "event/camera-event",
                    "image/camera-picture-captured", "sensor/camera-reading-cause", "sensor/camera-reading-reason",
                    "sensor/camera-reading-seconds",
                ]
            ),
            (
                "valve: { driver: relay, pin: GPIO5 }",
                [
                    "binary_sensor/valve-state-waiting", "button/valve-command-pulse", "event/valve-event",
                    "sensor/valve-reading-seconds", "switch/valve-switch",
                ]
            ),
            (
                "lamp: { driver: led, pin: GPIO6 }",
                [
                    "binary_sensor/lamp-state-blinking", "button/lamp-command-blink", "button/lamp-command-pulse",
                    "event/lamp-event", "light/lamp-switch",
                ]
            ),
        ] as [(String, [String])])
    func tables(device: String, expected: [String]) throws {
        let found = try entities(device)
        #expect(found == expected)
    }

    @Test("Without commands nothing can be switched, and what was a switch is a state")
    func withoutCommands() throws {
        #expect(
            try entities("valve: { driver: relay, pin: GPIO5 }", acceptsCommands: false) == [
                "binary_sensor/valve-state-on", "binary_sensor/valve-state-waiting", "event/valve-event",
                "sensor/valve-reading-seconds",
            ])
    }

    @Test("An event that the options make impossible is not offered")
    func needs() throws {
        let key = "homeassistant/event/perch-porch/bell-event/config"
        let without = try #require(try messages(["bell: { driver: button, pin: GPIO27 }"])[key])
        let with = try #require(try messages(["bell: { driver: button, pin: GPIO27, clicks: 2 }"])[key])
        #expect(without.contains("\"pressed\""))
        #expect(!without.contains("clicked\""))
        #expect(with.contains("clicked\""))
    }

    @Test("A reading has its unit and its kind, and belongs to its part, which belongs to the board")
    func reading() throws {
        let messages = try messages(["climate: { driver: bme280 }"])
        let temperature = try #require(
            messages["homeassistant/sensor/perch-porch/climate-reading-temperature/config"])
        for part in [
            "\"device_class\":\"temperature\"", "\"unit_of_measurement\":\"°C\"", "\"state_class\":\"measurement\"",
            "\"state_topic\":\"perch/porch/climate/reading/temperature\"", "\"name\":\"Temperature\"",
            "\"unique_id\":\"perch-porch-climate-reading-temperature\"", "\"via_device\":\"perch-porch\"",
            "\"identifiers\":[\"perch-porch-climate\"]", "\"name\":\"porch climate\"", "\"availability_mode\":\"all\"",
            "{\"topic\":\"perch/porch/availability\"},{\"topic\":\"perch/porch/climate/health/availability\"}",
        ] { #expect(temperature.contains(part), "\(part) in \(temperature)") }
    }

    @Test("A number that is chosen becomes the argument of a command")
    func number() throws {
        let messages = try messages(["arm: { driver: servo, pwm: PWM0 }"])
        let move = try #require(messages["homeassistant/number/perch-porch/arm-command-move/config"])
        for part in [
            "\"command_template\":\"{{ value }}deg\"", "\"command_topic\":\"perch/porch/arm/command/move\"",
            "\"min\":-360", "\"max\":360", "\"unit_of_measurement\":\"°\"",
        ] { #expect(move.contains(part), "\(part) in \(move)") }
        // Two angles must be given: no entity can ask for them.
        #expect(!messages.keys.contains { $0.contains("sweep") })
    }
}

@Suite("Commands over a broker")
struct RemoteCommandTests {
    /// What a payload becomes, or why it is refused.
    private func read(
        _ topic: String, _ payload: String, isRetained: Bool = false
    ) async throws -> (text: String?, refusal: String?) {
        let directory = try TemporaryDirectory()
        return try await EventLoop.run(time: .virtual) { loop in
            let daemon = try simulatedDaemon(
                [
                    "sign: { driver: ht16k33 }", "arm: { driver: servo, pwm: PWM0 }",
                    "valve: { driver: relay, pin: GPIO5 }",
                ],
                directory, loop)
            let message = MQTTMessage(topic, payload, isRetained: isRetained)
            let name = try #require(topics.command(in: topic))
            do {
                let remote = try RemoteCommand(message, to: name, in: daemon.devices)
                let arguments = remote.command.arguments
                let values: [Any?] = [
                    try? arguments[Option("text", .text, "")], try? arguments[Option("level", .integer(1...16), "")],
                    try? arguments[Option("to", .angle(.degrees(-360)...(.degrees(360))), "")].degrees,
                ]
                let shown = values.compactMap { $0.map { "\($0)" } }.joined(separator: " ")
                return ("\(remote.device).\(remote.command.name) \(shown)", nil)
            } catch let failure as ControlFailure {
                return (nil, failure.message)
            }
        }
    }

    @Test(
        "A payload is what would stand behind the command in a rule",
        arguments: [
            ("sign/command/show", "HELLO", "sign.show HELLO"), ("sign/command/show", "a: b {c}", "sign.show a: b {c}"),
            ("sign/command/show", "{no mapping", "sign.show {no mapping"),
            ("sign/command/show", "{\"text\": \"A \\u00e4\"}", "sign.show A ä"),
            ("sign/command/brightness", "7", "sign.brightness 7"), ("sign/command/clear", "", "sign.clear "),
            ("arm/command/move", "90deg", "arm.move 90.0"),
            ("arm/command/move", "{ to: -20deg, over: 1s }", "arm.move -20.0"),
            ("valve/command/switch", "on", "valve.on "), ("valve/command/switch", "off", "valve.off "),
        ] as [(String, String, String)])
    func payloads(topic: String, payload: String, expected: String) async throws {
        let (text, refusal) = try await read("perch/porch/\(topic)", payload)
        #expect(text == expected, "\(refusal ?? "")")
    }

    @Test(
        "A command that is wrong is refused with the reason",
        arguments: [
            ("bell/command/ring", "", "there is no device 'bell'"), ("sign/command/shwo", "", "'shwo'"),
            ("sign/command/brightness", "17", "expected a whole number from 0 to 16"),
            ("sign/command/brightness", "", "level is missing"), ("sign/command/clear", "now", "one argument too many"),
            ("arm/command/move", "{ to: 90 }", "expected an angle"), ("valve/command/switch", "up", "'switch'"),
        ] as [(String, String, String)])
    func refusals(topic: String, payload: String, reason: String) async throws {
        let (text, refusal) = try await read("perch/porch/\(topic)", payload)
        #expect(text == nil)
        #expect(refusal?.contains(reason) == true, "\(refusal ?? "")")
    }

    @Test("A command that the broker keeps is refused, and so is one without an end")
    func traps() async throws {
        let kept = try await read("perch/porch/sign/command/clear", "", isRetained: true)
        #expect(kept.refusal?.contains("retain") == true)
        let long = try await read("perch/porch/sign/command/show", String(repeating: "x", count: 5000))
        #expect(long.refusal?.contains("5000 bytes") == true)
    }

    @Test("A few commands at once are taken, then a few each second")
    func limit() {
        var limit = CommandLimit()
        #expect((0..<100).count { _ in limit.take(now: .seconds(100)) } == 20)
        #expect((0..<100).count { _ in limit.take(now: .seconds(101)) } == 5)
        #expect((0..<100).count { _ in limit.take(now: .seconds(1000)) } == 20)
    }
}

/// A daemon on a simulated board, without storage.
func simulatedDaemon(
    _ devices: [String], _ directory: TemporaryDirectory, _ loop: EventLoop, log: RecordingLogSink = RecordingLogSink()
) throws -> Daemon {
    let configuration = try configuration(devices: devices)
    return try Daemon(
        configuration,
        Daemon.Environment(
            loop: loop, board: simulatedBoard(configuration, loop), stateDirectory: directory.path,
            wallClock: .starting(at: WallTime(sinceEpoch: .zero), with: loop), logger: Logger(log),
            makeBackend: StorageKind.makeStandardBackend))
}
