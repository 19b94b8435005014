import DeviceKit
import DeviceRuntime
import Testing

@testable import DeviceDaemon

/// A device that notes its commands.
private actor NotingDevice: Device {
    private let loop: EventLoop
    private(set) var commands: [String] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    func run(ready: @escaping @Sendable () -> Void) async throws {}

    func perform(_ command: Command) async throws {
        commands.append("\(command.name) because of \(command.cause ?? "nothing")")
        if command.name == "break" { throw DeviceError.notReady("lamp") }
    }
}

@Suite("Rules")
struct RuleEngineTests {
    static let driver = Driver(
        name: "lamp", summary: "a lamp", options: [],
        events: [EventDescription("on", ""), EventDescription("off", "")],
        states: [StateDescription("lit", ""), StateDescription("hot", "")],
        commands: [CommandDescription("blink", ""), CommandDescription("break", ""), CommandDescription("dim", "")],
        claims: { _ in [] }, makeDevice: { _, context in NotingDevice(loop: context.loop) })

    /// The commands that `events` lead to while `states` hold.
    static func commands(
        _ rules: String, states: [String], events: [String]
    ) async throws -> (
        commands: [String], log: [String]
    ) {
        let source = "device: test\ndevices: { lamp: { driver: lamp } }\nrules:\n\(rules)"
        let configuration = try Configuration.read(
            source.utf8, file: "test.yaml", drivers: [driver], backends: [], boards: Configuration.boards)
        return try await EventLoop.run(time: .virtual) { loop in
            let sink = RecordingLogSink()
            let lamp = NotingDevice(loop: loop)
            let directory = DeviceDirectory()
            directory.replace(configuration.devices.map { DeviceDirectory.Entry(configuration: $0, device: lamp) })
            let engine = RuleEngine(rules: configuration.rules, directory: directory, logger: Logger(sink))
            for state in states { directory.set(StateReference(device: "lamp", state: state), true) }
            try await ServiceGroup([engine], logger: Logger(sink)).run {
                for event in events { engine.handle(Event(device: "lamp", name: event, timestamp: loop.now)) }
                try await loop.sleep(for: .seconds(1))
            }
            return (await lamp.commands, sink.entries.map(\.text))
        }
    }

    @Test(
        "A rule fires on its events, unless or while states hold",
        arguments: [
            ("  - { when: lamp.on, do: lamp.blink }", [], ["on", "off"], 1),
            ("  - { when: [lamp.on, lamp.off], do: lamp.blink }", [], ["on", "off"], 2),
            ("  - { when: [lamp.on, lamp.on], do: lamp.blink }", [], ["on"], 1),
            ("  - { when: lamp.on, unless: lamp.lit, do: lamp.blink }", [], ["on"], 1),
            ("  - { when: lamp.on, unless: lamp.lit, do: lamp.blink }", ["lit"], ["on"], 0),
            ("  - { when: lamp.on, unless: [lamp.lit, lamp.hot], do: lamp.blink }", ["hot"], ["on"], 0),
            ("  - { when: lamp.on, while: lamp.lit, do: lamp.blink }", [], ["on"], 0),
            ("  - { when: lamp.on, while: lamp.lit, do: lamp.blink }", ["lit"], ["on"], 1),
            ("  - { when: lamp.on, while: [lamp.lit, lamp.hot], do: lamp.blink }", ["lit"], ["on"], 0),
            ("  - { when: lamp.on, while: lamp.lit, unless: lamp.hot, do: lamp.blink }", ["lit", "hot"], ["on"], 0),
        ] as [(String, [String], [String], Int)])
    func conditions(rule: String, states: [String], events: [String], count: Int) async throws {
        let commands = try await Self.commands(rule, states: states, events: events).commands
        #expect(commands.count == count)
    }

    @Test("Actions are carried out in order, each knows its cause, and one that fails does not stop the next")
    func order() async throws {
        let result = try await Self.commands(
            "  - { name: show, when: lamp.on, do: [lamp.blink, lamp.break, lamp.dim] }", states: [], events: ["on"])
        #expect(result.commands == ["blink", "break", "dim"].map { "\($0) because of lamp.on" })
        #expect(result.log == ["command failed (rule: show, command: lamp.break, error: lamp is not ready)"])
    }
}
