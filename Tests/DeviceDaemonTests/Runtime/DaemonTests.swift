import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

@Suite("A daemon whose configuration changes")
struct DaemonTests {
    private static func configuration(_ source: String) throws -> Configuration {
        try Configuration.read(
            source.utf8, file: "test.yaml", drivers: standardDrivers, backends: standardStorage.map(\.description),
            boards: Configuration.boards)
    }

    private static let base = """
        device: porch
        devices:
          bell: { driver: button, pin: GPIO27 }
          motion: { driver: motion-sensor, pin: GPIO17 }

        """

    /// What the devices were told to do, by the events that led to it, before and after `changed` is applied.
    private static func commands(_ source: String, _ changed: String) async throws -> (isApplied: Bool, log: [String]) {
        let directory = try TemporaryDirectory()
        return try await EventLoop.run(time: .virtual) { loop in
            let before = try configuration(source)
            let board = SimulatedBoard(loop: loop, names: before.simulatedNames)
            let sink = RecordingLogSink()
            let daemon = try Daemon(
                before,
                Daemon.Environment(
                    loop: loop, board: board, stateDirectory: directory.path,
                    wallClock: .starting(at: WallTime(sinceEpoch: .zero), with: loop),
                    logger: Logger(sink, level: .debug), makeBackend: StorageKind.makeStandardBackend))
            let isApplied = Protected(false)
            try await daemon.run {
                try await loop.sleep(for: .seconds(1))
                let applied = try await daemon.apply(try configuration(changed))
                isApplied.withLock { $0 = applied }
                try await loop.sleep(for: .seconds(1))
                #expect(daemon.devices.entries.map(\.health).allSatisfy { $0 == .healthy })
                try board.line("GPIO27").drive(.low)
                try await loop.sleep(for: .seconds(1))
            }
            return (
                isApplied.withLock { $0 },
                sink.entries.filter { $0.level >= .notice || $0.message.contains(".") }.map(\.text)
            )
        }
    }

    @Test("New rules apply to devices that go on, and a device that is new runs beside them")
    func changes() async throws {
        let rule = "rules:\n  - { name: look, when: bell.pressed, do: eye.capture }\n"
        let result = try await Self.commands(Self.base, Self.base + "  eye: { driver: camera }\n" + rule)
        #expect(result.isApplied)
        #expect(result.log == ["eye.capture (rule: look, cause: bell.pressed)"])
    }

    @Test(
        "What devices stand on cannot change under them",
        arguments: [
            base.replacing("porch", with: "gate"), "board: raspberry-pi-5\n" + base,
            base + "storage: { photos: { backend: directory, path: photos } }\n",
        ])
    func frames(changed: String) async throws {
        let result = try await Self.commands(Self.base, changed)
        #expect(!result.isApplied)
    }
}
