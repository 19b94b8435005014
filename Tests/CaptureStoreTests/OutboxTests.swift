import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Outbox")
struct OutboxTests {
    @Test("A capture that was accepted is on the disk, with its name, its times and its place in the order")
    func acceptance() async throws {
        let directory = try TemporaryDirectory()
        let killed = try await Bench.run(in: directory) { bench in
            try await bench.loop.sleep(for: .seconds(90))
            let capture = bench.press()
            try await bench.loop.sleep(for: .milliseconds(250))
            let first = try await bench.outbox.accept(capture)
            let second = try await bench.outbox.accept(bench.press())
            #expect(first.description == "porch/1dea/00000001")
            #expect(second.description == "porch/1dea/00000002")
            return try directory.copy()
        }
        let entry = try #require(try entries(killed).first)
        #expect(entry.time == "2027-01-15T08:01:30.000Z")
        #expect(entry.part == "bell" && entry.event == "pressed" && entry.payloadSize == nil)
        #expect(entry.deliveries == [.init(backend: "test", attempts: 0, lastError: nil, isRejected: false)])
        #expect(try entries(killed).map(\.id.sequence) == [1, 2])
    }

    @Test("Captures that wait together share one commit and keep their order")
    func groupCommit() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press())
            for count in 1...100 { bench.outbox.enqueue(bench.press(count)) }
            _ = try await bench.outbox.accept(bench.press(101))
            // A commit of its own for each would write several pages of 1 KiB for each.
            let log = try #require(try Files.size(of: "\(directory.path)/outbox.db-wal"))
            #expect(log < 100 * 1024)
        }
        let database = try Database("\(directory.path)/outbox.db", .readOnly)
        var fields: [String] = []
        try database.query("SELECT fields FROM records ORDER BY sequence") { fields.append($0.text(0)) }
        #expect(fields == (0...101).map { "{\"count\":\($0)}" })
    }

    @Test("What waits when the daemon is told to stop is written")
    func flushAtTheEnd() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            for count in 1...10 { bench.outbox.enqueue(bench.press(count)) }
        }
        #expect(try entries(directory).count == 10)
    }

    @Test("A sequence number is never used again: not after deletion, not after a restart")
    func sequences() async throws {
        let directory = try TemporaryDirectory()
        var last: [String] = []
        for _ in 0..<3 {
            let backend = RecordingBackend()
            try await Bench.run(in: directory, backends: [backend]) { bench in
                bench.outbox.enqueue(bench.press())
                try await backend.waitForObjects(1)
            }
            #expect(try entries(directory).isEmpty)
            last += backend.names
        }
        #expect(last == (1...3).map { "porch/1dea/0000000\($0)-bell.pressed.json" })
    }

    @Test("After a crash the outbox takes a new identity, so that nothing it forgot can be named again")
    func identityAfterCrash() async throws {
        let directory = try TemporaryDirectory()
        let killed = try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press())
            let early = try directory.copy()
            _ = try await bench.outbox.accept(bench.press())
            return early
        }
        // The card went back in time, to when there was one record, and lost its log on top of that.
        for backInTime in [try killed.copy(), killed] {
            if backInTime === killed { try Files.remove("\(killed.path)/outbox.db-wal") }
            let id = try await Bench.run(in: backInTime) { bench in try await bench.outbox.accept(bench.press()) }
            #expect(id.identity != "1dea")
        }
        let clean = try await Bench.run(in: directory) { bench in try await bench.outbox.accept(bench.press()) }
        #expect(clean.description == "porch/1dea/00000003")
    }

    @Test("A record goes when the last of its backends has it")
    func deletion() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory, for: ["nas", "cloud"]) { bench in
            let id = try await bench.outbox.accept(bench.press(payload: bench.picture()))
            try await bench.settle(id, backend: "nas")
            try await bench.settle(id, backend: "nas")
            #expect(try entries(directory).first?.deliveries.map(\.backend) == ["cloud"])
            #expect(try directory.files(in: "spool").count == 1)
            try await bench.settle(id, backend: "cloud")
            #expect(try entries(directory).isEmpty)
            #expect(try directory.files(in: "spool").isEmpty)
        }
    }

    @Test("A second perch on the same directory is refused, and told what to do")
    func lock() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            let error = thrown(OutboxError.self) {
                try Outbox(
                    directory: directory.path, device: "porch", backends: ["test"], loop: bench.loop,
                    wallClock: bench.clock.wallClock, logger: Logger(bench.log))
            }
            #expect(error?.description.contains("in use by another perch; stop that one") == true)
        }
    }

    @Test("A directory that cannot be made is an error that names it")
    func unusableDirectory() async throws {
        let directory = try TemporaryDirectory()
        try write([], to: "\(directory.path)/file")
        let loop = try EventLoop(time: .virtual)
        let error = thrown(OutboxError.self) {
            try Outbox(
                directory: "\(directory.path)/file/outbox", device: "porch", backends: ["test"], loop: loop,
                wallClock: .system(on: loop), logger: Logger(RecordingLogSink()))
        }
        #expect(error?.message.contains("\(directory.path)/file/outbox") == true)
        #expect(error?.advice != nil)
    }

    @Test("Without any backend nothing is kept, because nobody would ever take it away")
    func noBackend() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory, for: []) { bench in
            bench.outbox.enqueue(bench.press(payload: try bench.picture()))
            await #expect(throws: OutboxError.self) { try await bench.outbox.accept(bench.press()) }
        }
        let database = try Database("\(directory.path)/outbox.db", .readOnly)
        #expect(try database.integer("SELECT count(*) FROM records") == 0)
        #expect(try directory.files(in: "incoming").isEmpty)
        #expect(try directory.files(in: "spool").isEmpty)
    }

    @Test("Records for a backend that left the configuration are kept and reported")
    func formerBackend() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory, for: ["old"]) { bench in _ = try await bench.outbox.accept(bench.press()) }
        let backend = RecordingBackend("new")
        try await Bench.run(in: directory, backends: [backend]) { bench in
            #expect(bench.messages(.warning) == ["records wait for a backend that is not in the configuration"])
            bench.outbox.enqueue(bench.press())
            try await backend.waitForObjects(1)
        }
        #expect(try entries(directory).map(\.deliveries[0].backend) == ["old"])
    }

    @Test("The list counts what is pending and what was rejected, while the daemon runs")
    func listing() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory, for: ["nas", "cloud"]) { bench in
            let id = try await bench.outbox.accept(bench.press())
            try await bench.loop.sleep(for: .seconds(60))
            _ = try await bench.outbox.accept(bench.press())
            try await bench.note(id, backend: "nas", attempts: 1, "no route")
            try await bench.note(id, backend: "nas", attempts: 2, "no answer")
            try await bench.note(id, backend: "cloud", attempts: 1, "too large", isRejected: true)
            let reader = try OutboxReader(directory: directory.path)
            #expect(
                try reader.backlog() == [
                    .init(
                        backend: "cloud", pending: 1, rejected: 1,
                        oldest: WallTime(sinceEpoch: Bench.start.sinceEpoch + .seconds(60))),
                    .init(backend: "nas", pending: 2, rejected: 0, oldest: Bench.start),
                ])
            #expect(
                try entries(directory)[0].deliveries == [
                    .init(backend: "cloud", attempts: 1, lastError: "too large", isRejected: true),
                    .init(backend: "nas", attempts: 2, lastError: "no answer", isRejected: false),
                ])
        }
        #expect(try entries(directory).count == 2)
    }

    @Test("Where there is no outbox, the list says so")
    func noOutbox() throws {
        let directory = try TemporaryDirectory()
        let error = thrown(OutboxError.self) { try OutboxReader(directory: directory.path) }
        #expect(error?.description.contains("there is no outbox in \(directory.path)") == true)
    }
}
