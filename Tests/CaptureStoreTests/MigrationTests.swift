import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Outboxes of earlier formats")
struct MigrationTests {
    /// A copy of what lies in the folder `Golden`.
    private func golden(_ name: String) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(inMemory: true)
        let source = Files.parent(of: #filePath) + "/Golden/\(name)"
        try directory.makeDirectory("spool")
        for file in ["outbox.db", "outbox.db-wal", "documents"] where try Files.size(of: "\(source)/\(file)") != nil {
            try write(Files.read("\(source)/\(file)"), to: "\(directory.path)/\(file)")
        }
        try Files.forEachEntry(of: "\(source)/spool") { file in
            try write(Files.read("\(source)/spool/\(file)"), to: "\(directory.path)/spool/\(file)")
        }
        return directory
    }

    private func open(_ directory: TemporaryDirectory, _ log: RecordingLogSink) throws -> OutboxStorage {
        try OutboxStorage(
            OutboxStorage.Description(
                directory: directory.path, device: "porch", backends: ["nas", "cloud"], settings: OutboxSettings(),
                identity: nil, boot: "b008"), logger: Logger(log))
    }

    @Test(
        "Each is taken over: the same documents for the same backends, byte for byte",
        arguments: ["version-1-clean", "version-1-killed"])
    func documents(name: String) throws {
        let directory = try golden(name)
        let expected = String(decoding: try Files.read("\(directory.path)/documents"), as: UTF8.self)
        let log = RecordingLogSink()
        // Twice: what was migrated is then an outbox like any other.
        for _ in 1...2 {
            let storage = try open(directory, log)
            var lines: [String] = []
            for backend in ["old", "nas", "cloud"] where storage.records.backends[backend] != nil {
                let plan = try storage.plan(for: backend, .notes, after: 0, limit: 100, isEstimating: true)
                for case .record(let record, _) in try storage.load(plan.items.map(\.sequence), .everything, ahead: 0) {
                    lines.append("\(backend) \(record.document)\n")
                }
            }
            #expect(lines.joined() == expected)
            #expect(try storage.plan(for: "nas", .records, after: 0, limit: 100, isEstimating: true).items.isEmpty)
            storage.close()
        }
        #expect(!log.entries.contains { $0.level >= .error })
    }

    @Test("Tries, reasons, dead letters and files stay what they were")
    func notes() throws {
        let directory = try golden("version-1-killed")
        try open(directory, RecordingLogSink()).close()
        let entries = try entries(directory)
        #expect(entries.map(\.id.sequence) == [2, 3, 4, 5, 6, 7])
        #expect(
            entries[0].deliveries == [
                .init(backend: "nas", attempts: 2, lastError: "nas.local: no route", isRejected: false),
                .init(backend: "old", attempts: 0, lastError: nil, isRejected: false),
            ])
        #expect(
            entries[2].deliveries.last
                == .init(backend: "old", attempts: 1, lastError: "413: too large", isRejected: true))
        #expect(entries.map(\.payloadSize) == [nil, nil, 4, nil, 3, 1])
        #expect(try directory.files(in: "spool") == ["1-1", "2-1", "2-2"])
    }

    @Test("Numbers go on where they were, under a new identity after a crash and under the old one after none")
    func numbers() async throws {
        for (name, id) in [
            ("version-1-clean", "porch/3fa2c81b/00000005"), ("version-1-killed", "porch/3fa2c81b-3/00000008"),
        ] {
            let directory = try golden(name)
            let new = try await Bench.run(in: directory, for: ["nas", "cloud"], identity: "3fa2c81b") { bench in
                try await bench.outbox.accept(bench.press())
            }
            #expect(new.description == id)
        }
    }

    @Test("A file of a later version is set aside, not touched")
    func laterVersion() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in _ = try await bench.outbox.accept(bench.press()) }
        do {
            let database = try Database("\(directory.path)/outbox.db", .readWrite)
            try database.run("PRAGMA user_version = \(RecordDatabase.version + 1)")
        }
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press())
            #expect(bench.messages(.error).count == 1)
        }
        let kept = try Database("\(directory.path)/damaged-1/outbox.db", .readOnly)
        #expect(try kept.integer("SELECT count(*) FROM records") == 1)
    }
}
