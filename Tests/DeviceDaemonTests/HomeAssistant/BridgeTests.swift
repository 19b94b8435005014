import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import StorageBackends
import TestSupport
import Testing

@testable import DeviceDaemon

func simulatedBoard(_ configuration: Configuration, _ loop: EventLoop) -> SimulatedBoard {
    SimulatedBoard(loop: loop, names: configuration.simulatedNames)
}

@Suite("Devices at a broker")
struct BridgeTests {
    /// Runs a daemon with a bridge; `body` gets both, and what was posted so far.
    private func withBridge(
        _ devices: [String], log: RecordingLogSink = RecordingLogSink(),
        _ body:
            @escaping @Sendable (Daemon, SimulatedBoard, HomeAssistantBridge, Protected<[MQTTMessage]>, EventLoop)
            async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        try await EventLoop.run(time: .virtual) { loop in
            let configuration = try configuration(devices: devices)
            let board = simulatedBoard(configuration, loop)
            let daemon = try Daemon(
                configuration,
                Daemon.Environment(
                    loop: loop, board: board, stateDirectory: directory.path,
                    wallClock: .starting(at: WallTime(sinceEpoch: .zero), with: loop), logger: Logger(log),
                    makeBackend: StorageKind.makeStandardBackend))
            let bridge = HomeAssistantBridge(
                device: "porch", topics: topics, discoveryPrefix: "homeassistant", acceptsCommands: true,
                directory: daemon.devices, clock: loop, logger: Logger(log))
            let posted = Protected<[MQTTMessage]>([])
            try await daemon.run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await bridge.run { messages in posted.withLock { $0 += messages } } }
                    defer { group.cancelAll() }
                    try await loop.sleep(for: .seconds(1))
                    try await body(daemon, board, bridge, posted, loop)
                }
            }
        }
    }

    /// `bell/state/pressed on`
    private func texts(_ messages: [MQTTMessage]) -> [String] {
        messages.filter { $0.topic.hasPrefix("perch/") }.map { message in
            #expect(message.isRetained)
            return
                "\(message.topic.dropFirst("perch/porch/".count)) \(String(decoding: message.payload, as: UTF8.self))"
        }
    }

    @Test("What changes is told, and everything at the beginning of a connection")
    func states() async throws {
        try await withBridge(["bell: { driver: button, pin: GPIO27 }", "sign: { driver: ht16k33 }"]) {
            _, board, bridge, posted, loop in
            #expect(
                texts(posted.withLock { $0 }).sorted() == [
                    "bell/health/availability online", "sign/health/availability offline",
                ])
            let greeting = bridge.greeting()
            #expect(
                greeting.subscriptions == [
                    "perch/porch/+/command/+", "homeassistant/status", "homeassistant/+/perch-porch/+/config",
                ])
            // There is no display on the bus.
            #expect(
                texts(greeting.messages) == [
                    "bell/health/availability online", "bell/state/pressed off", "sign/health/availability offline",
                    "sign/state/moving off",
                ])
            posted.withLock { $0 = [] }
            try board.line("GPIO27").drive(.low)
            try await loop.sleep(for: .seconds(2))
            #expect(texts(posted.withLock { $0 }) == ["bell/state/pressed on"])
            posted.withLock { $0 = [] }
            try board.line("GPIO27").drive(.high)
            try await loop.sleep(for: .seconds(1))
            let told = texts(posted.withLock { $0 })
            #expect(told.contains("bell/state/pressed off"))
            #expect(told.contains("bell/reading/seconds 2.0"), "\(told)")
            #expect(texts(bridge.greeting().messages).contains("bell/reading/seconds 2.0"))
        }
    }

    @Test("A command is carried out; one that is wrong is told of once")
    func commands() async throws {
        let log = RecordingLogSink()
        try await withBridge(["valve: { driver: relay, pin: GPIO5 }"], log: log) { daemon, _, bridge, _, loop in
            bridge.receive(MQTTMessage("perch/porch/valve/command/switch", "on"))
            try await loop.sleep(for: .seconds(1))
            #expect(daemon.devices["valve"]?.states.contains("on") == true)
            for _ in 0..<3 { bridge.receive(MQTTMessage("perch/porch/valve/command/explode", "")) }
            bridge.receive(MQTTMessage("perch/porch/valve/command/off", "", isRetained: true))
            try await loop.sleep(for: .seconds(10))
            #expect(daemon.devices["valve"]?.states.contains("on") == true)
            for _ in 0..<50 { bridge.receive(MQTTMessage("perch/porch/valve/command/toggle", "")) }
        }
        let refusals = log.entries.filter { $0.message.contains("not carried out") }.map(\.text)
        #expect(refusals.count == 2, "\(refusals)")
        #expect(refusals.contains { $0.contains("'explode'") })
        #expect(refusals.contains { $0.contains("too many commands") })
    }

    @Test("Home Assistant's return is answered, after a moment")
    func birth() async throws {
        try await withBridge(["valve: { driver: relay, pin: GPIO5 }"]) { _, _, bridge, posted, loop in
            posted.withLock { $0 = [] }
            bridge.receive(MQTTMessage("homeassistant/status", "offline"))
            try await loop.sleep(for: .seconds(5))
            #expect(posted.withLock { $0.isEmpty })
            bridge.receive(MQTTMessage("homeassistant/status", "online"))
            try await loop.sleep(for: .seconds(5))
            #expect(
                posted.withLock { $0.contains { $0.topic == "homeassistant/switch/perch-porch/valve-switch/config" } })
            #expect(posted.withLock { $0.contains { $0.topic == "perch/porch/valve/state/on" } })
        }
    }

    @Test("What is not there any more disappears: a part that was removed, and one of the run before")
    func removal() async throws {
        try await withBridge(["valve: { driver: relay, pin: GPIO5 }", "lamp: { driver: led, pin: GPIO6 }"]) {
            daemon, _, bridge, posted, _ in
            _ = bridge.greeting()
            posted.withLock { $0 = [] }
            let own = "homeassistant/light/perch-porch/lamp-switch/config"
            bridge.receive(MQTTMessage(own, "{}", isRetained: true))
            bridge.receive(MQTTMessage("homeassistant/light/perch-other/lamp-switch/config", "{}", isRetained: true))
            #expect(posted.withLock { $0.isEmpty })
            bridge.receive(MQTTMessage("homeassistant/text/perch-porch/old/config", "{}", isRetained: true))
            let removal = MQTTMessage("homeassistant/text/perch-porch/old/config", [], isRetained: true)
            #expect(posted.withLock { $0 } == [removal])
            posted.withLock { $0 = [] }
            let changed = try configuration(devices: ["valve: { driver: relay, pin: GPIO5 }"])
            let isApplied = try await daemon.apply(changed)
            #expect(isApplied)
            #expect(posted.withLock { $0.contains(MQTTMessage(own, [], isRetained: true)) })
        }
    }
}
