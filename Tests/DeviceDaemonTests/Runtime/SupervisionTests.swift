import DeviceKit
import DeviceRuntime
import Testing

@testable import DeviceDaemon

/// A device that fails as often as it is told to.
private actor FlakyDevice: Device {
    private var failuresLeft: Int
    private let loop: EventLoop
    private(set) var starts: [Duration] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(failures: Int, loop: EventLoop) {
        failuresLeft = failures
        self.loop = loop
    }

    struct Broken: Error, CustomStringConvertible { let description = "the wire is loose" }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        starts.append(loop.now)
        failuresLeft -= 1
        if failuresLeft >= 0 { throw Broken() }
        ready()
        try await Waiter().wait()
    }

    func perform(_ command: Command) async throws {}
}

@Suite("Supervision of devices")
struct SupervisionTests {
    static func supervise(
        failures: Int, for duration: Duration
    ) async throws -> (
        starts: [Duration], log: [LogEntry], summaries: [String]
    ) {
        try await EventLoop.run(time: .virtual) { loop in
            let sink = RecordingLogSink()
            let summaries = Protected<[String]>([])
            let health = HealthTable(devices: ["part", "other"]) { summary in summaries.withLock { $0.append(summary) }
            }
            let device = FlakyDevice(failures: failures, loop: loop)
            let supervisor = DeviceSupervisor(
                name: "part", device: device, clock: loop, health: health, logger: Logger(sink))
            try await ServiceGroup([supervisor], logger: Logger(sink)).run { try await loop.sleep(for: duration) }
            return (await device.starts, sink.entries, summaries.withLock { $0 })
        }
    }

    @Test("A failed device is tried again with growing pauses, up to a minute")
    func pauses() async throws {
        let starts = try await Self.supervise(failures: .max, for: .seconds(300)).starts
        let expected: [Duration] = [0, 1, 3, 7, 15, 31, 63, 123].map { .seconds($0) }
        #expect(Array(starts.prefix(8)) == expected)
        #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 <= .seconds(60) })
    }

    @Test("A failure and the recovery are each logged once, and show in the summary")
    func log() async throws {
        let result = try await Self.supervise(failures: 3, for: .seconds(60))
        #expect(result.log.map(\.message) == ["device failed; it is tried again", "device recovered"])
        #expect(result.log.first?.text.contains("the wire is loose") == true)
        #expect(
            result.summaries == ["0 of 2 devices running; failing: part", "1 of 2 devices running"])
    }
}
