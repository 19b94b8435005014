import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

/// A whole daemon on a simulated board, whose parts a test plays with.
enum SimulatedDaemon {
    /// Runs `body` beside it and returns what the trace then has without the wires' traffic.
    static func run(
        _ devices: String, seed: UInt64 = 0,
        _ body:
            @escaping @Sendable (SimulatedBoard, @escaping @Sendable (String, String) throws -> Void) async throws
            -> Void
    ) async throws -> [String] {
        let configuration = try Configuration.read(
            "device: porch\ndevices:\n\(devices)\n".utf8, file: "perch.yaml", drivers: standardDrivers, backends: [],
            boards: Configuration.boards)
        let folder = try TemporaryDirectory()
        return try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop, seed: seed)
            let world = try SimulatedWorld(configuration, on: board)
            var environment = Daemon.Environment(
                loop: loop, board: board, stateDirectory: folder.path,
                wallClock: .starting(at: WallTime(sinceEpoch: .zero), with: loop),
                logger: Logger(TraceLogSink(board.trace), level: .debug)
            ) { _, _ in throw CancellationError() }
            environment.identity = (outbox: "00000000", boot: "test")
            let daemon = try Daemon(configuration, environment)
            let observation = daemon.devices.observe { [devices = daemon.devices] change in
                if case .fault = change { board.trace.record("health", devices.summary) }
            }
            defer { observation.cancel() }
            try await daemon.run {
                try await body(board) { name, stimulus in
                    let entry = try #require(world.parts.first { $0.name == name })
                    try entry.part.apply(Command(name: stimulus))
                }
            }
            return board.trace.entries.filter { !$0.isWire }.map(\.description)
        }
    }
}

@Suite("Devices that follow others")
struct FollowingTests {
    static let devices = """
          up: { driver: button, pin: GPIO5, clicks: 1 }
          down: { driver: button, pin: GPIO6, clicks: 1 }
          reset: { driver: chord, buttons: [up, down], long-press: 1s }
        """

    @Test("A chord is told after its buttons, and takes their clicks for itself", arguments: 0..<50)
    func chord(seed: UInt64) async throws {
        let trace = try await SimulatedDaemon.run(Self.devices, seed: seed) { board, apply in
            try await board.loop.sleep(until: .seconds(1))
            try apply("up", "hold")
            try await board.loop.sleep(for: .milliseconds(100))
            try apply("down", "hold")
            try await board.loop.sleep(for: .seconds(2))
            try apply("down", "release")
            try apply("up", "release")
            try await board.loop.sleep(for: .seconds(1))
            try apply("up", "press")
            try await board.loop.sleep(for: .seconds(1))
        }
        let told = trace.compactMap { line -> String? in
            let words = line.split(separator: " ")
            return ["up", "down", "reset"].contains(words[1]) ? "\(words[1]).\(words[2])" : nil
        }
        // Which of the two comes to rest first is up to their contacts.
        #expect(
            told.prefix(4) == ["up.pressed", "down.pressed", "reset.pressed", "reset.long-pressed"], "\(trace)")
        #expect(Set(told[4..<7]) == ["up.released", "down.released", "reset.released"])
        #expect(told[7...] == ["up.pressed", "up.released", "up.clicked"])
    }

    @Test("A part that is faulty is logged once and shows in the health until it is well")
    func fault() async throws {
        let trace = try await SimulatedDaemon.run("  bell: { driver: button, pin: GPIO5 }") { board, _ in
            let line = try board.line("GPIO5")
            for _ in 0..<200 {
                line.drive(.low)
                try await board.loop.sleep(for: .milliseconds(10))
                line.drive(nil)
                try await board.loop.sleep(for: .milliseconds(10))
            }
            try await board.loop.sleep(for: .seconds(1))
        }
        let story = trace.compactMap { line in
            ["faulty", "well again", "running"].contains { line.contains($0) }
                ? line.split(separator: "  ").dropFirst().joined(separator: ": ") : nil
        }
        #expect(
            story.map { $0.replacing("  ", with: "") } == [
                "health: 1 of 1 devices running; faulty: bell",
                "bell: part is faulty (fault: GPIO5 chatters without coming to rest)",
                "health: 1 of 1 devices running", "bell: part is well again",
            ])
    }
}
