import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Classes of records")
struct RecordClassTests {
    private func reading(_ bench: Bench, _ value: Int = 0) -> Capture {
        Capture(
            part: "thermometer", event: "reading", recordClass: .reading, timestamp: bench.loop.now,
            fields: [.init("celsius", .integer(value))])
    }

    private func diagnostic(_ bench: Bench, _ value: Int = 0) -> Capture {
        Capture(
            part: "gps", event: "damaged", recordClass: .diagnostic, timestamp: bench.loop.now,
            fields: [.init("lines", .integer(value))])
    }

    @Test("Readings wait a minute for others, and are then written together")
    func groupByTime() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory) { bench in
            for count in 1...10 {
                bench.outbox.enqueue(reading(bench, count))
                try await bench.loop.sleep(for: .seconds(5))
            }
            #expect(try entries(directory).isEmpty)
            try await bench.loop.sleep(for: .seconds(11))
            #expect(try entries(directory).map(\.id.sequence) == Array(1...10))
        }
    }

    @Test("Sixty-four of them do not wait")
    func groupByNumber() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory) { bench in
            for count in 1...63 { bench.outbox.enqueue(reading(bench, count)) }
            try await bench.loop.sleep(for: .seconds(1))
            #expect(try entries(directory).isEmpty)
            bench.outbox.enqueue(reading(bench, 64))
            try await bench.loop.sleep(for: .milliseconds(1))
            #expect(try entries(directory).count == 64)
        }
    }

    @Test("An alert takes the readings before it along, in order; the end does so too")
    func together() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory) { bench in
            bench.outbox.enqueue(reading(bench))
            let alert = try await bench.outbox.accept(bench.press())
            #expect(alert.sequence == 2)
            #expect(try entries(directory).map(\.part) == ["thermometer", "bell"])
            bench.outbox.enqueue(reading(bench))
        }
        #expect(try entries(directory).map(\.part) == ["thermometer", "bell", "thermometer"])
    }

    @Test("A diagnostic is delivered and never on the disk, and its number is not given again after a crash")
    func diagnostics() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let backend = RecordingBackend()
        let killed = try await Bench.run(in: directory, backends: [backend]) { bench in
            _ = try await bench.outbox.accept(bench.press())
            try await backend.waitForObjects(1)
            try await bench.loop.sleep(for: .seconds(2))
            let before = try Files.read("\(directory.path)/outbox.db-wal")
            for count in 1...5 { bench.outbox.enqueue(diagnostic(bench, count)) }
            try await backend.waitForObjects(6)
            try await bench.loop.sleep(for: .seconds(10))
            #expect(try Files.read("\(directory.path)/outbox.db-wal") == before)
            #expect(await bench.outbox.storage?.diagnostics.rows.isEmpty == true)
            return try directory.copy(inMemory: true)
        }
        #expect(backend.names.last == "porch/1dea/00000006-gps.damaged.json")
        let id = try await Bench.run(in: killed) { bench in try await bench.outbox.accept(bench.press()) }
        #expect(id.identity != "1dea")
        let clean = try await Bench.run(in: directory) { bench in try await bench.outbox.accept(bench.press()) }
        #expect(clean.description == "porch/1dea/00000007")
    }

    @Test("In an outage the newest diagnostics are kept, as many as there is room for; the rest are counted")
    func diagnosticsInOutage() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        var settings = OutboxSettings()
        settings.diagnostics.bytes = 10_000
        let isUp = Protected(false)
        let backend = RecordingBackend { _, _ in
            guard isUp.withLock({ $0 }) else { throw StorageError(.temporary(retryAfter: nil), "no route") }
        }
        try await Bench.run(in: directory, backends: [backend], settings: settings) { bench in
            for count in 1...200 {
                bench.outbox.enqueue(diagnostic(bench, count))
                try await bench.loop.sleep(for: .seconds(1))
            }
            isUp.withLock { $0 = true }
            bench.outbox.enqueue(bench.press())
            while !backend.names.contains(where: { $0.contains("bell") }) {
                try await backend.waitForObjects(backend.names.count + 1)
            }
            try await bench.loop.sleep(for: .seconds(600))
        }
        let drops = try OutboxReader(directory: directory.path).drops()
        #expect(drops.map(\.recordClass) == [.diagnostic])
        #expect(drops.map(\.reason) == [.oldest])
        let count = try #require(drops.first?.records)
        #expect((100...150).contains(count))
        // Those that the uploader had in hand are gone as well.
        #expect(Set(backend.names).count == backend.names.count)
        #expect(backend.names.contains("porch/1dea/00000200-gps.damaged.json"))
    }

    @Test("While the disk takes nothing and memory is full, an alert displaces a reading")
    func displacement() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        var settings = OutboxSettings()
        settings.grouping.records = 1000
        try await Bench.run(in: directory, settings: settings) { bench in
            _ = try await bench.outbox.accept(bench.press())
            let storage = try await bench.storage
            _ = try storage.records.database.integer("PRAGMA max_page_count = 1")
            for count in 1...WaitingCaptures.mostCaptures { bench.outbox.enqueue(reading(bench, count)) }
            bench.outbox.enqueue(reading(bench))
            bench.outbox.enqueue(bench.press())
            try await bench.loop.sleep(for: .seconds(1))
            _ = try storage.records.database.integer("PRAGMA max_page_count = 1000000")
            try await bench.loop.sleep(for: .seconds(120))
            #expect(try entries(directory).filter { $0.part == "bell" }.count == 2)
        }
        #expect(try OutboxReader(directory: directory.path).drops().map(\.records) == [2])
    }
}
