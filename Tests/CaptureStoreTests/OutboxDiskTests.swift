import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Outbox on a disk that takes nothing")
struct OutboxDiskTests {
    /// Lets the file grow to so many pages of 1 KiB; to none at all as it is.
    private func limit(_ bench: Bench, pages: Int) async throws {
        let storage = try await bench.storage
        _ = try storage.records.database.integer("PRAGMA max_page_count = \(pages)")
    }

    @Test("Captures wait in memory, in order, the failure is told once, and so is its end")
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press(0))
            try await limit(bench, pages: 1)
            for count in 1...200 {
                bench.outbox.enqueue(bench.press(count))
                try await bench.loop.sleep(for: .seconds(1))
            }
            #expect(bench.messages(.error) == ["the outbox cannot write; captures wait in memory"])
            #expect(bench.outbox.condition.failure == "database or disk is full")
            #expect(!bench.outbox.condition.isWell)
            #expect(bench.outbox.condition.waiting > 0)
            #expect(try entries(directory).count < 200)
            // A person who wants it tried now is not kept waiting.
            let start = bench.loop.now
            try await bench.outbox.flush()
            #expect(bench.loop.now == start)
            try await limit(bench, pages: 1_000_000)
            #expect(try await bench.outbox.accept(bench.press(201)).sequence == 202)
            #expect(bench.messages(.notice).last == "the outbox writes again")
            #expect(bench.outbox.condition == OutboxCondition(failure: nil, isSlow: false, waiting: 0, dropped: 0))
        }
        let database = try Database("\(directory.path)/outbox.db", .readOnly)
        var fields: [String] = []
        try database.query("SELECT fields FROM records ORDER BY sequence") { fields.append($0.text(0)) }
        #expect(fields == (0...201).map { "{\"count\":\($0)}" })
    }

    @Test("Beyond ten thousand they are dropped with their files, counted, and told in few lines")
    func overflow() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press())
            try await limit(bench, pages: 1)
            for count in 1...(WaitingCaptures.mostCaptures + 150) { bench.outbox.enqueue(bench.press(count)) }
            bench.outbox.enqueue(bench.press(payload: try bench.picture()))
            await #expect(throws: OutboxError.self) { try await bench.outbox.accept(bench.press()) }
            #expect(await bench.outbox.droppedCount == 152)
            #expect(bench.messages(.error).filter { $0.hasPrefix("a capture was dropped") }.count == 3)
            try await bench.loop.sleep(for: .seconds(120))
            #expect(try directory.files(in: "incoming").isEmpty)
            try await limit(bench, pages: 1_000_000)
        }
        #expect(try entries(directory).count == WaitingCaptures.mostCaptures + 1)
    }

    @Test("Deliveries are struck off although the disk is full, and so make room")
    func deliveriesMakeRoom() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            var ids: [RecordID] = []
            for count in 0..<50 { ids.append(try await bench.outbox.accept(bench.press(count))) }
            try await limit(bench, pages: 1)
            for count in 50..<250 { bench.outbox.enqueue(bench.press(count)) }
            try await bench.loop.sleep(for: .seconds(1))
            await bench.outbox.settle(Settlement(backend: "test", cursor: ids[49].sequence))
            // Longer than the longest pause between tries.
            try await bench.loop.sleep(for: .seconds(120))
            #expect(try entries(directory).allSatisfy { $0.id.sequence > 50 })
            try await limit(bench, pages: 1_000_000)
        }
        #expect(try entries(directory).count == 200)
    }

    @Test("Ten thousand that wait in memory do not keep deliveries from going on")
    func manyWaitWhileDelivering() async throws {
        let directory = try TemporaryDirectory()
        let isUp = Protected(false)
        let backend = BatchBackend(batchLimit: 10) { _, _ in
            guard isUp.withLock({ $0 }) else { throw StorageError(.temporary(retryAfter: nil), "no route") }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 0..<50 { _ = try await bench.outbox.accept(bench.press(count)) }
            // Room for some hundred, and for the receipts of a thousand.
            try await limit(bench, pages: 200)
            for count in 50..<5050 { bench.outbox.enqueue(bench.press(count)) }
            try await bench.loop.sleep(for: .seconds(120))
            isUp.withLock { $0 = true }
            try await bench.outbox.flush()
            for _ in 0..<3600 where backend.stored.joined().count < 5050 {
                try await bench.loop.sleep(for: .seconds(1))
            }
            #expect(backend.stored.joined().count == 5050)
            #expect(bench.messages(.notice).last == "the outbox writes again")
        }
        #expect(try entries(directory).isEmpty)
    }

    @Test("What could not be written before the end is counted as lost")
    func lostAtTheEnd() async throws {
        let directory = try TemporaryDirectory()
        let log = try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press())
            try await limit(bench, pages: 1)
            for count in 1...200 { bench.outbox.enqueue(bench.press(count)) }
            return bench.log
        }
        let last = try #require(log.entries.last { $0.level == .error })
        #expect(last.message.hasPrefix("captures are lost"))
        #expect(last.fields.first?.value == "200")
    }
}
