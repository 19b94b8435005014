import CaptureStore
import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

/// A storage that is out of reach, or comes and goes.
private struct UnsteadyStorage: StorageBackend {
    let name: String
    let loop: EventLoop
    let isUp: @Sendable (Duration) -> Bool
    let stored: Protected<Set<Int64>>
    let destination = "a test"
    let batchLimit = 100

    func store(_ records: [StoredRecord]) async throws {
        guard isUp(loop.now) else { throw StorageError(.temporary(retryAfter: nil), "nas.local: no route to host") }
        stored.withLock { $0.formUnion(records.map(\.id.sequence)) }
    }
}

@Suite("A day, and what goes wrong in it")
struct LongRunTests {
    private static let source = """
        device: porch
        devices:
          air: { driver: bme280, every: 30s }
          bell: { driver: button, pin: GPIO27 }
          sign: { driver: ht16k33 }
        rules:
          - { when: bell.pressed, do: [ sign.show: "HEY!" ] }
        storage: { nas: { backend: directory, path: nas } }

        """

    struct Day: Sendable {
        var log: [LogEntry] = []
        var events: [String: Int] = [:]
        var status: Status?
        var waiting = 0
        var storedRecords = 0
    }

    private static let length = Duration.seconds(86400)

    /// Runs a day in which `trouble` happens at the start of each period. Somebody rings every ten minutes.
    private static func day(
        isUp: @escaping @Sendable (Duration) -> Bool, period: Duration,
        trouble: @escaping @Sendable (SimulatedBoard, _ count: Int) throws -> Void
    ) async throws -> Day {
        let configuration = try Configuration.read(
            source.utf8, file: "test.yaml", drivers: standardDrivers, backends: standardStorage.map(\.description),
            boards: Configuration.boards)
        let folder = try TemporaryDirectory(inMemory: true)
        return try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let world = try SimulatedWorld(configuration, on: board)
            let sink = RecordingLogSink()
            let stored = Protected<Set<Int64>>([])
            let daemon = try Daemon(
                configuration,
                Daemon.Environment(
                    loop: loop, board: board, stateDirectory: folder.path,
                    wallClock: .starting(at: WallTime(sinceEpoch: .seconds(1_800_000_000)), with: loop),
                    logger: Logger(LimitedLogSink(sink, now: { loop.now })),
                    makeBackend: { storage, _ in
                        UnsteadyStorage(name: storage.name, loop: loop, isUp: isUp, stored: stored)
                    }))
            let day = Protected(Day())
            try await daemon.run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        let bell = try board.line("GPIO27")
                        while loop.now < length - .seconds(3600) {
                            try await loop.sleep(for: .seconds(600))
                            bell.drive(.low)
                            try await loop.sleep(for: .milliseconds(200))
                            bell.drive(.high)
                        }
                    }
                    group.addTask {
                        var count = 0
                        while loop.now < length - .seconds(7200) {
                            try await loop.sleep(for: period)
                            count += 1
                            try trouble(board, count)
                        }
                    }
                    try await group.waitForAll()
                }
                try await loop.sleep(until: length)
                // What waits as a group is written now.
                try await daemon.outbox.flush()
                try await loop.sleep(for: .seconds(600))
                let status = Status(
                    name: "porch", board: "simulated", now: loop.now, time: WallTime(sinceEpoch: loop.now),
                    uptime: loop.now, devices: daemon.devices.entries.map(Status.Device.init),
                    usage: ProcessUsage(cpu: .zero))
                let waiting = try OutboxReader(directory: folder.path).backlog().reduce(0) { $0 + $1.pending }
                day.withLock { day in
                    day.status = status
                    day.waiting = waiting
                }
            }
            withExtendedLifetime(world) {}
            var result = day.withLock { $0 }
            result.log = sink.entries
            result.storedRecords = stored.withLock { $0.count }
            return result
        }
    }

    @Test("A sensor that is broken and a server that is dead take a few lines, and the other devices do not notice")
    func broken() async throws {
        let day = try await Self.day(isUp: { _ in false }, period: Self.length - .seconds(7200)) { _, _ in }
        let calm = day.log.count
        let broken = try await Self.day(isUp: { _ in false }, period: .seconds(60)) { board, count in
            if count == 1 { try board.i2cBus("I2C1").detach(try #require(I2CAddress(0x76))) }
        }
        #expect(broken.log.count <= calm + 3, "\(broken.log.map(\.text))")
        let devices = try #require(broken.status?.devices)
        #expect(!devices[0].isWell && devices[1].isWell && devices[2].isWell)
        #expect(devices[1].tally.events["pressed"] ?? 0 > 130)
        #expect(devices[1].tally.failures == 0)
        #expect(broken.waiting > 130)
    }

    @Test("A sensor with a loose wire and a network that comes and goes stay under a hundred lines a day; all arrives")
    func flapping() async throws {
        // Out of step with each other, so that everything happens while everything else is in each of its states.
        let isUp: @Sendable (Duration) -> Bool = { Int($0 / .seconds(1)) / 700 % 2 == 0 || $0 > .seconds(82_800) }
        let day = try await Self.day(isUp: isUp, period: .seconds(95)) { board, count in
            let bus = try board.i2cBus("I2C1")
            let address = try #require(I2CAddress(0x76))
            if count.isMultiple(of: 2) {
                bus.attach(BME280Model(clock: board.loop), at: address)
            } else {
                bus.detach(address)
            }
        }
        #expect(day.log.count < 100, "\(day.log.map(\.text).joined(separator: "\n"))")
        // It was left out, not left undone: hundreds of failures, and each was recovered from.
        let devices = try #require(day.status?.devices)
        #expect(devices[0].tally.failures > 300)
        #expect(day.log.contains { $0.text.contains("times since the last line") })
        #expect(devices[1].tally.failures == 0 && devices[2].tally.failures == 0)
        let events = devices.flatMap(\.tally.events.values).reduce(0, +)
        // But for the readings of the last minute, which wait for each other.
        #expect((0...10).contains(events - day.storedRecords), "\(events), \(day.storedRecords)")
        #expect(day.waiting <= 10)
    }
}
