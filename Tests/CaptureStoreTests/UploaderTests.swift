import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Uploader")
struct UploaderTests {
    @Test("Records arrive in order, each once, and the backlog is read a little at a time")
    func order() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            for count in 1...500 { bench.outbox.enqueue(bench.press(count)) }
        }
        let backend = RecordingBackend()
        try await Bench.run(in: directory, backends: [backend]) { bench in
            try await backend.waitForObjects(500)
            try await bench.outbox.sync()
        }
        #expect(backend.names == backend.names.sorted())
        #expect(Set(backend.names).count == 500)
        #expect(try entries(directory).isEmpty)
    }

    @Test("A backend gets a record's values and time as they were accepted")
    func values() async throws {
        let fields: [Capture.Field] = [
            .init("armed", .flag(true)), .init("count", .integer(-3)), .init("level", .number(0.1)),
            .init("note", .text("a \"b\"\né")), .init("off", .flag(false)),
        ]
        let directory = try TemporaryDirectory()
        let records = try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(
                Capture(part: "bell", event: "pressed", timestamp: bench.loop.now, fields: fields))
            return try await bench.outbox.load([1], .everything)
        }
        guard case .record(let record, hasFile: false) = records.first else { return #expect(Bool(false)) }
        #expect(record.fields == fields)
        #expect(record.time == Bench.start)
    }

    @Test("An idle uploader is woken by a record, not by a timer")
    func wakes() async throws {
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend()
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...3 {
                try await bench.loop.sleep(for: .seconds(3600))
                bench.outbox.enqueue(bench.press(count))
                try await backend.waitForObjects(count)
                #expect(bench.loop.now == .seconds(3600 * count))
            }
        }
    }

    @Test("An outage of a day costs few tries and two lines, and nothing is lost or sent twice")
    func outage() async throws {
        let directory = try TemporaryDirectory()
        let isUp = Protected(false)
        let backend = RecordingBackend { _, _ in
            guard isUp.withLock({ $0 }) else {
                throw StorageError(.temporary(retryAfter: nil), "nas.local: no route")
            }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...24 {
                bench.outbox.enqueue(bench.press(count))
                try await bench.loop.sleep(for: .seconds(3600))
            }
            // 24 hours of pauses of 150 s on average, and the climb to there.
            #expect((400...800).contains(backend.tries))
            isUp.withLock { $0 = true }
            try await backend.waitForObjects(24)
            #expect(bench.messages(.warning) == ["uploads fail; records stay in the outbox until they succeed"])
            #expect(bench.messages(.notice).filter { $0 == "uploads work again" }.count == 1)
        }
        #expect(Set(backend.names).count == 24)
        #expect(backend.names.count == 24)
    }

    @Test("What was confirmed, how often it failed and when it last went well is counted")
    func tally() async throws {
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend { _, tries in
            if tries <= 2 { throw StorageError(.temporary(retryAfter: nil), "nas.local: no route") }
        }
        let (tally, end) = try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...3 { bench.outbox.enqueue(bench.press(count)) }
            try await backend.waitForObjects(3)
            let end = bench.loop.now
            try await bench.loop.sleep(for: .seconds(3600))
            return (await bench.uploads.tallies()["test"], end)
        }
        #expect(tally?.objects == 3)
        #expect(tally?.failures == 2)
        #expect(tally?.lastSuccess == end)
        // A document of such a record has about 200 bytes.
        #expect((300...1500).contains(tally?.bytes ?? 0))
    }

    @Test("A record that the server will never take is kept aside with the reason, and the others go on")
    func rejection() async throws {
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend { object, _ in
            if object.name.contains("00000002") { throw StorageError(.permanent, "413: too large") }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...4 { bench.outbox.enqueue(bench.press(count)) }
            try await backend.waitForObjects(3)
        }
        let entry = try #require(try entries(directory).first)
        #expect(try entries(directory).count == 1)
        #expect(entry.id.sequence == 2)
        #expect(
            entry.deliveries == [.init(backend: "test", attempts: 1, lastError: "413: too large", isRejected: true)])
        // Nor is it tried again after a restart.
        let tries = backend.tries
        try await Bench.run(in: directory, backends: [backend]) { bench in
            bench.outbox.enqueue(bench.press())
            try await backend.waitForObjects(4)
        }
        #expect(backend.tries == tries + 1)
    }

    @Test("A failure between document and file sends the file again, and not the document")
    func halfway() async throws {
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend { _, tries in
            if tries == 2 { throw StorageError(.temporary(retryAfter: nil), "cut off") }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            _ = try await bench.outbox.accept(bench.press(payload: bench.picture()))
            try await backend.waitForObjects(2)
        }
        #expect(backend.names.map { $0.suffix(4) } == ["json", ".png"])
        #expect(backend.tries == 3)
        #expect(try entries(directory).isEmpty)
    }

    @Test("A backend that takes many at once gets them, files included, and a bad one among them is kept aside")
    func batches() async throws {
        let directory = try TemporaryDirectory()
        let backend = BatchBackend(batchLimit: 500) { records, _ in
            if records.contains(where: { $0.id.sequence == 123 }) { throw StorageError(.permanent, "422") }
        }
        try await Bench.run(in: directory) { bench in
            for count in 1...499 { bench.outbox.enqueue(bench.press(count)) }
            bench.outbox.enqueue(bench.press(500, payload: try bench.picture()))
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            while backend.stored.joined().count < 499 { try await bench.loop.sleep(for: .seconds(1)) }
            #expect(bench.loop.now < .seconds(5))
            #expect(bench.messages(.error) == ["a record was rejected and is kept aside; perch queue lists it"])
        }
        #expect(backend.tries <= 14)
        #expect(Set(backend.stored.joined().map(\.id.sequence)) == Set((1...500).filter { $0 != 123 }))
        #expect(backend.stored.joined().flatMap(\.objects).count == 500)
        #expect(try entries(directory).map(\.id.sequence) == [123])
        #expect(
            try entries(directory)[0].deliveries == [
                .init(backend: "test", attempts: 1, lastError: "422", isRejected: true)
            ])
        #expect(try directory.files(in: "spool").isEmpty)
    }

    @Test("When it is stopped, an upload that is under way comes to its end, and nothing else is begun")
    func stop() async throws {
        let directory = try TemporaryDirectory()
        let begun = Waiter()
        let clock = Protected<EventLoop?>(nil)
        let backend = RecordingBackend { _, _ in
            begun.finish()
            try await clock.withLock { $0 }?.sleep(for: .seconds(3))
        }
        let end = try await Bench.run(in: directory, backends: [backend]) { bench in
            clock.withLock { $0 = bench.loop }
            for count in 1...3 { bench.outbox.enqueue(bench.press(count)) }
            try await begun.wait()
            return bench.loop
        }.now
        #expect(end == .seconds(3))
        #expect(backend.names.count == 1)
        #expect(try entries(directory).map(\.id.sequence) == [2, 3])
    }

    @Test("One that takes too long then is cut short, and its record stays in the outbox")
    func stopWithDeadline() async throws {
        let directory = try TemporaryDirectory()
        let begun = Waiter()
        let backends = ["one", "two"].map { name in
            RecordingBackend(name) { _, _ in
                begun.finish()
                try await Waiter().wait()
            }
        }
        let end = try await Bench.run(in: directory, backends: backends) { bench in
            bench.outbox.enqueue(bench.press())
            try await begun.wait()
            return bench.loop
        }.now
        // All of them at the same time.
        #expect(end == Uploader.grace)
        #expect(try entries(directory).map(\.deliveries.count) == [2])
    }

    @Test("Each backend has its own pace")
    func twoBackends() async throws {
        let directory = try TemporaryDirectory()
        let fast = RecordingBackend("fast")
        let down = RecordingBackend("down") { _, _ in
            throw StorageError(.temporary(retryAfter: nil), "no route")
        }
        try await Bench.run(in: directory, backends: [fast, down]) { bench in
            for count in 1...20 { bench.outbox.enqueue(bench.press(count)) }
            try await fast.waitForObjects(20)
        }
        #expect(try entries(directory).map { $0.deliveries.map(\.backend) } == Array(repeating: ["down"], count: 20))
    }

    @Test("An error that a backend should not throw is an outage, not the end")
    func strangeError() async throws {
        struct Strange: Error {}
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend { _, tries in if tries < 3 { throw Strange() } }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            bench.outbox.enqueue(bench.press())
            try await backend.waitForObjects(1)
        }
        #expect(backend.tries == 3)
    }
}
