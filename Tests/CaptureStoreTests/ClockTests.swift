import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("The time of records")
struct ClockTests {
    /// What arrived: `2027-01-15T08:00:10.000Z exact`.
    private static func stamps(_ backend: BatchBackend) -> [String] {
        backend.stored.joined().map { record in
            let quality = ["exact", "repaired", "estimated"].first { record.document.contains(#""clock":"\#($0)""#) }
            return "\(record.time) \(quality ?? "?")"
        }
    }

    private static let truth = WallTime(sinceEpoch: Bench.start.sinceEpoch + .seconds(1_000_000))

    @Test("While the clock is wrong, records wait; when it becomes right they get the time that it was")
    func repair() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let backend = BatchBackend(batchLimit: 1)
        try await Bench.run(in: directory, backends: [backend], isClockRight: false) { bench in
            for _ in 1...3 {
                try await bench.loop.sleep(for: .seconds(10))
                bench.outbox.enqueue(bench.press())
            }
            try await bench.loop.sleep(for: .seconds(10))
            #expect(backend.stored.isEmpty)
            #expect(try entries(directory).map(\.clock) == [nil, nil, nil])
            bench.clock.set(to: Self.truth)
            bench.outbox.enqueue(bench.press())
            try await bench.loop.sleep(for: .seconds(1))
        }
        #expect(
            Self.stamps(backend) == [
                "2027-01-26T21:46:10.000Z repaired", "2027-01-26T21:46:20.000Z repaired",
                "2027-01-26T21:46:30.000Z repaired", "2027-01-26T21:46:40.000Z exact",
            ])
    }

    @Test("Two minutes after boot they go with an estimate, which stays; those that have not gone are repaired later")
    func estimate() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let isUp = Protected(true)
        let tried = Protected<[String]>([])
        let backend = BatchBackend(batchLimit: 1) { records, _ in
            tried.withLock { $0 += records.map(\.document) }
            guard isUp.withLock({ $0 }) else { throw StorageError(.temporary(retryAfter: nil), "no route") }
        }
        try await Bench.run(in: directory, backends: [backend], isClockRight: false) { bench in
            bench.outbox.enqueue(bench.press(1))
            try await bench.loop.sleep(for: .seconds(119))
            #expect(backend.stored.isEmpty)
            try await bench.loop.sleep(for: .seconds(2))
            #expect(backend.stored.count == 1)
            // The second one is tried, and the clock becomes right before it arrives.
            isUp.withLock { $0 = false }
            bench.outbox.enqueue(bench.press(2))
            try await bench.loop.sleep(for: .seconds(60))
            bench.clock.set(to: Self.truth)
            try await bench.loop.sleep(for: .seconds(1))
            isUp.withLock { $0 = true }
            bench.outbox.enqueue(bench.press(3))
            try await bench.loop.sleep(for: .seconds(600))
        }
        #expect(
            Self.stamps(backend).sorted() == [
                "2027-01-15T08:00:00.000Z estimated", "2027-01-15T08:02:01.000Z estimated",
                "2027-01-26T21:46:41.000Z exact",
            ])
        #expect(Set(tried.withLock { $0 }).count == 3, "a record is the same at every try")
    }

    @Test("An outage that began with the boot costs few records their time: only those that were tried")
    func offline() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let isUp = Protected(false)
        let backend = BatchBackend(batchLimit: 1) { _, _ in
            guard isUp.withLock({ $0 }) else { throw StorageError(.temporary(retryAfter: nil), "no route") }
        }
        try await Bench.run(in: directory, backends: [backend], isClockRight: false) { bench in
            for count in 1...200 {
                bench.outbox.enqueue(bench.press(count))
                try await bench.loop.sleep(for: .seconds(30))
            }
            bench.clock.set(to: Self.truth)
            isUp.withLock { $0 = true }
            while backend.stored.count < 200 { try await bench.loop.sleep(for: .seconds(10)) }
        }
        let stamps = Self.stamps(backend)
        #expect(stamps.filter { $0.hasSuffix("repaired") }.count >= 175)
        #expect(stamps.filter { $0.hasSuffix("estimated") }.count >= 1)
    }

    @Test(
        "What an earlier run of the same boot did not know, a later one repairs; of another boot it stays an estimate")
    func runs() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, boot: "first", isClockRight: false) { bench in
            try await bench.loop.sleep(for: .seconds(5))
            bench.outbox.enqueue(bench.press())
        }
        try await Bench.run(in: directory, boot: "second", isClockRight: false) { bench in
            try await bench.loop.sleep(for: .seconds(5))
            bench.outbox.enqueue(bench.press())
        }
        let backend = BatchBackend(batchLimit: 1)
        try await Bench.run(in: directory, backends: [backend], boot: "second", isClockRight: false) { bench in
            try await bench.loop.sleep(for: .seconds(20))
            #expect(backend.stored.count == 1)
            bench.clock.set(to: Self.truth)
            try await bench.loop.sleep(for: .seconds(1))
        }
        #expect(
            Self.stamps(backend) == ["2027-01-15T08:00:05.000Z estimated", "2027-01-26T21:46:25.000Z repaired"])
    }

    @Test("Once known in a boot, the time stays known in it, whatever the kernel's mark says later")
    func restart() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory) { bench in bench.outbox.enqueue(bench.press()) }
        let backend = BatchBackend(batchLimit: 1)
        try await Bench.run(in: directory, backends: [backend], isClockRight: false) { bench in
            bench.outbox.enqueue(bench.press())
            try await bench.loop.sleep(for: .seconds(1))
        }
        #expect(Self.stamps(backend).allSatisfy { $0.hasSuffix("exact") })
        #expect(backend.stored.count == 2)
    }

    @Test("A clock that is set again changes no record that is there")
    func secondStep() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, isClockRight: false) { bench in
            bench.outbox.enqueue(bench.press())
            bench.clock.set(to: Self.truth)
            try await bench.loop.sleep(for: .seconds(1))
            bench.clock.set(to: Bench.start)
            _ = try await bench.outbox.accept(bench.press())
        }
        #expect(
            try entries(directory).map(\.time) == ["2027-01-26T21:46:40.000Z", "2027-01-15T08:00:00.000Z"])
    }
}
