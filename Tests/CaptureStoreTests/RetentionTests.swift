import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Bounds of the outbox")
struct RetentionTests {
    private func settings(_ bytes: Int64, _ policy: OutboxSettings.FullPolicy) -> OutboxSettings {
        var settings = OutboxSettings()
        settings.alerts = .init(bytes: bytes, whenFull: policy)
        settings.readings = .init(bytes: bytes, whenFull: policy)
        settings.grouping.records = 1
        return settings
    }

    private func total(_ directory: TemporaryDirectory, _ recordClass: RecordClass) throws -> Int64 {
        let records = RecordDatabase(try Database("\(directory.path)/outbox.db", .readOnly))
        return try records.totals()[recordClass] ?? 0
    }

    @Test("Full, new ones are refused: who sends one is told why, its file goes, and the rest stays as it was")
    func refuse() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, settings: settings(10_000, .refuse)) { bench in
            for count in 1...200 { bench.outbox.enqueue(bench.press(count)) }
            await #expect(throws: OutboxError.self) {
                try await bench.outbox.accept(bench.press(payload: bench.picture()))
            }
            #expect((1...3).contains(bench.messages(.error).count))
            #expect(bench.messages(.error).allSatisfy { $0 == "alerts were dropped: the outbox is full of them" })
        }
        let kept = try entries(directory)
        #expect(kept.map(\.id.sequence) == (1...kept.count).map { Int64($0) })
        #expect(try total(directory, .alert) <= 10_000)
        #expect(try directory.files(in: "spool").isEmpty)
        let drops = try OutboxReader(directory: directory.path).drops()
        #expect(drops.map(\.records) == [201 - kept.count])
        #expect(drops.map(\.reason) == [.refused])
    }

    @Test("Full, the oldest make room, with their files; what remains is delivered")
    func dropOldest() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, settings: settings(10_000, .dropOldest)) { bench in
            for count in 1...200 {
                bench.outbox.enqueue(bench.press(count, payload: count.isMultiple(of: 10) ? try bench.picture() : nil))
                if count.isMultiple(of: 17) { try await bench.outbox.sync() }
            }
        }
        let kept = try entries(directory)
        #expect(kept.last?.id.sequence == 200)
        #expect(kept.count > 60)
        #expect(try total(directory, .alert) <= 10_000)
        #expect(try directory.files(in: "spool").count == kept.filter { $0.payloadSize != nil }.count)
        #expect(try OutboxReader(directory: directory.path).drops().map(\.records) == [200 - kept.count])
        let backend = RecordingBackend()
        try await Bench.run(in: directory, backends: [backend]) { _ in
            try await backend.waitForObjects(kept.count + kept.filter { $0.payloadSize != nil }.count)
        }
        #expect(try entries(directory).isEmpty)
    }

    @Test("Dropped under an uploader's hands, a record is no trouble")
    func dropWhileUploading() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let isUp = Protected(false)
        let backend = RecordingBackend { _, _ in
            guard isUp.withLock({ $0 }) else { throw StorageError(.temporary(retryAfter: nil), "no route") }
        }
        try await Bench.run(in: directory, backends: [backend], settings: settings(10_000, .dropOldest)) { bench in
            for count in 1...300 {
                bench.outbox.enqueue(bench.press(count))
                try await bench.loop.sleep(for: .seconds(10))
            }
            isUp.withLock { $0 = true }
            while backend.names.last != "porch/1dea/00000300-bell.pressed.json" {
                try await backend.waitForObjects(backend.names.count + 1)
            }
        }
        #expect(try entries(directory).isEmpty)
        #expect(Set(backend.names).count == backend.names.count)
    }

    @Test("Full of readings, old times become coarser, and no kind disappears")
    func thin() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, settings: settings(40_000, .thin)) { bench in
            for count in 1...1000 {
                for part in ["indoor", "outdoor"] {
                    bench.outbox.enqueue(
                        Capture(
                            part: part, event: "reading", recordClass: .reading, timestamp: bench.loop.now,
                            fields: [.init("minute", .integer(count))]))
                }
                try await bench.outbox.sync()
            }
        }
        #expect(try total(directory, .reading) <= 40_000)
        let kept = try entries(directory)
        #expect(kept.count > 150)
        for part in ["indoor", "outdoor"] {
            let sequences = kept.filter { $0.part == part }.map(\.id.sequence)
            #expect(sequences.count > 60)
            #expect(sequences.first.map { $0 <= 2 } == true)
            let gaps = zip(sequences, sequences.dropFirst()).map { $1 - $0 }
            // From the newest back to the oldest the steps grow.
            #expect(gaps.last == 2)
            #expect(gaps.prefix(gaps.count / 3).reduce(0, +) > gaps.suffix(gaps.count / 3).reduce(0, +))
        }
        #expect(try OutboxReader(directory: directory.path).drops().map(\.reason).contains(.thinned))
    }

    @Test(
        "One that is larger than its class may be is refused by every policy",
        arguments: OutboxSettings.FullPolicy.allCases)
    func tooLarge(policy: OutboxSettings.FullPolicy) async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, settings: settings(1000, policy)) { bench in
            _ = try await bench.outbox.accept(bench.press())
            await #expect(throws: OutboxError.self) {
                try await bench.outbox.accept(bench.press(payload: bench.picture(Array(repeating: 1, count: 2000))))
            }
        }
        #expect(try entries(directory).count == 1)
    }

    @Test("What is older than it may be goes, also while nothing else happens")
    func age() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        var settings = OutboxSettings()
        settings.alerts.age = .seconds(86400)
        try await Bench.run(in: directory, settings: settings) { bench in
            for count in 1...48 {
                bench.outbox.enqueue(bench.press(count))
                try await bench.loop.sleep(for: .seconds(3600))
            }
            #expect((23...26).contains(try entries(directory).count))
            try await bench.loop.sleep(for: .seconds(2 * 86400))
            #expect(try entries(directory).isEmpty)
        }
        #expect(try OutboxReader(directory: directory.path).drops().map(\.records) == [48])
    }

    @Test("A clock that is wrong makes nothing old")
    func ageAndWrongClock() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        var settings = OutboxSettings()
        settings.alerts.age = .seconds(86400)
        try await Bench.run(in: directory, settings: settings, isClockRight: false) { bench in
            _ = try await bench.outbox.accept(bench.press())
        }
        // Another boot, years later: what the clock showed in the first one was worth nothing.
        try await Bench.run(in: directory, settings: settings, boot: "b008") { bench in
            bench.clock.set(to: WallTime(sinceEpoch: .seconds(2_000_000_000)))
            try await bench.loop.sleep(for: .seconds(5 * 86400))
            #expect(try entries(directory).count == 1)
        }
    }
}
