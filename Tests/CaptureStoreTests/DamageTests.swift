import DeviceRuntime
import Glibc
import TestSupport
import Testing

@testable import CaptureStore

/// What can happen to a file.
struct Damage: Sendable, CustomTestStringConvertible {
    let file: String
    let testDescription: String
    let apply: @Sendable (inout [UInt8]) -> Void

    static func cut(_ file: String, at size: Int) -> Damage {
        Damage(file: file, testDescription: "\(file) cut at \(size)") { $0.removeLast(max(0, $0.count - size)) }
    }

    static func flip(_ file: String, at offset: Int, count: Int = 1, mask: UInt8 = 0xff) -> Damage {
        Damage(file: file, testDescription: "\(file), \(count) bytes at \(offset), \(mask)") { bytes in
            for index in offset..<min(offset + count, bytes.count) { bytes[index] ^= mask }
        }
    }

    static func zero(_ file: String) -> Damage {
        Damage(file: file, testDescription: "\(file) full of zeros") { $0 = Array(repeating: 0, count: $0.count) }
    }
}

@Suite("Damaged outbox")
struct DamageTests {
    /// What a killed daemon leaves: some records in the file, some in its log, files in the spool; one record is
    /// delivered, and one a dead letter.
    private func killedOutbox() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory) { bench in
            for count in 1...24 { bench.outbox.enqueue(bench.press(count)) }
        }
        return try await Bench.run(in: directory) { bench in
            try await bench.settle(RecordID(device: "porch", identity: "1dea", sequence: 1))
            try await bench.note(
                RecordID(device: "porch", identity: "1dea", sequence: 2), attempts: 1, "no", isRejected: true)
            for count in 25...40 {
                _ = try await bench.outbox.accept(
                    bench.press(count, payload: count % 10 == 0 ? bench.picture() : nil))
            }
            // What is of no interest here takes time to copy.
            try Files.remove("\(directory.path)/reserve")
            return try directory.copy(inMemory: true)
        }
    }

    /// Damages a copy, and looks what becomes of it.
    private func examine(_ killed: TemporaryDirectory, _ damage: Damage) throws -> Examination {
        let directory = try killed.copy(inMemory: true)
        var bytes = try Files.read("\(directory.path)/\(damage.file)")
        damage.apply(&bytes)
        try write(bytes, to: "\(directory.path)/\(damage.file)")
        return try Examination(of: directory)
    }

    private func check(_ killed: TemporaryDirectory, _ damages: [Damage]) throws {
        let before = try Examination(of: killed.copy(inMemory: true))
        #expect(before.documents.count == 38)
        var (lost, asides) = (0, 0)
        for damage in damages {
            let after = try examine(killed, damage)
            let name = damage.testDescription
            // A document is what it was, or it is not there; which boot it is from may be lost.
            for (id, document) in after.documents where before.documents[id] != nil {
                #expect(
                    document.split(separator: "unknown-1").joined(separator: "b007") == before.documents[id], "\(name)")
            }
            // Delivered again, at worst.
            #expect(Set(after.documents.keys).subtracting(before.documents.keys).count <= 2, "\(name)")
            #expect(!before.documents.keys.contains(after.new.description) && after.new.identity != "1dea", "\(name)")
            let missing = Set(before.documents.keys).subtracting(after.documents.keys).count - after.damaged
            if missing > 0 {
                #expect(after.messages.contains { $0.level >= .notice }, "\(missing) lost silently: \(name)")
            }
            #expect(after.isSetAside == after.messages.contains { $0.message.contains("set aside") }, "\(name)")
            lost += max(0, missing)
            asides += after.isSetAside ? 1 : 0
        }
        print("\(damages.count) damages: \(asides) files set aside, \(lost) of \(38 * damages.count) records lost")
    }

    @Test("Whatever happened to the file, the outbox opens, accepts, delivers, and names nothing a second time")
    func damage() async throws {
        let killed = try await killedOutbox()
        var damages: [Damage] = []
        for file in ["outbox.db", "outbox.db-wal", "outbox.db-shm"] {
            let size = try #require(try Files.size(of: "\(killed.path)/\(file)"))
            damages.append(.zero(file))
            for part in 0..<12 {
                damages.append(.cut(file, at: size * part / 12 + part))
                damages.append(.flip(file, at: size * part / 12 + 7 * part))
                damages.append(.flip(file, at: size * part / 12, count: 1024))
            }
        }
        try check(killed, damages)
    }

    @Test("Bytes that flip anywhere are noticed")
    func flips() async throws {
        let killed = try await killedOutbox()
        var generator = SeededGenerator(seed: 4)
        let damages = try (0..<DamageScale.flips).map { _ in
            let file = Bool.random(using: &generator) ? "outbox.db" : "outbox.db-wal"
            let size = try #require(try Files.size(of: "\(killed.path)/\(file)"))
            return Damage.flip(
                file, at: Int.random(in: 0..<size, using: &generator),
                mask: UInt8.random(in: 1...255, using: &generator))
        }
        try check(killed, damages)
    }

    @Test("A file that ends anywhere is no obstacle", arguments: ["outbox.db", "outbox.db-wal"])
    func truncations(file: String) async throws {
        let killed = try await killedOutbox()
        let size = try #require(try Files.size(of: "\(killed.path)/\(file)"))
        var sizes = Set(stride(from: 0, to: size, by: DamageScale.truncationStep))
        // Where a power cut ends a file: within what was written last.
        sizes.formUnion(stride(from: max(0, size - 1100), to: size, by: DamageScale.lastStep))
        try check(killed, sizes.sorted().map { .cut(file, at: $0) })
    }

    @Test(
        "A file that is no outbox is set aside, under a number, with its spool",
        arguments: [[], Array("SQLite format 3\u{0}".utf8), Array(repeating: 0, count: 4096)] as [[UInt8]])
    func foreignFile(content: [UInt8]) async throws {
        let directory = try TemporaryDirectory()
        for number in 1...2 {
            try await Bench.run(in: directory) { bench in
                _ = try await bench.outbox.accept(bench.press(payload: bench.picture()))
            }
            try write(content, to: "\(directory.path)/outbox.db")
            try await Bench.run(in: directory) { bench in
                #expect(bench.messages(.error).count == 1)
            }
            #expect(try directory.files(in: "damaged-\(number)") == ["outbox.db", "spool"])
            #expect(try directory.files(in: "damaged-\(number)/spool").count == 1)
        }
    }

    @Test("A record that damage has left without any backend is for all of them again")
    func orphans() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory, for: ["nas", "cloud"]) { bench in
            for count in 1...3 { _ = try await bench.outbox.accept(bench.press(count)) }
        }
        do {
            let records = try RecordDatabase.open("\(directory.path)/outbox.db")
            for var backend in records.backends.values {
                backend.cursor = 3
                try records.put(backend)
            }
            try records.database.put(NoteRow(sequence: 3, backend: 1))
        }
        try await Bench.run(in: directory, for: ["nas", "cloud"]) { _ in }
        #expect(
            try entries(directory).map { $0.deliveries.map(\.backend) } == [
                ["cloud", "nas"], ["cloud", "nas"], ["nas"],
            ])
    }

    @Test(
        "A column that has another name is damage: what asks for it would fail for ever", arguments: ["size", "slot"])
    func columnName(name: String) async throws {
        let killed = try await killedOutbox()
        let bytes = try Files.read("\(killed.path)/outbox.db")
        let pattern = Array("\(name) INTEGER".utf8)
        let places = bytes.indices.filter { bytes[$0...].starts(with: pattern) }
        #expect(!places.isEmpty)
        for place in places {
            let after = try examine(killed, .flip("outbox.db", at: place, mask: 1))
            #expect(after.isSetAside)
            #expect(after.documents.count == 38)
        }
    }

    @Test("Damage that shows while the daemon runs does not stop it either, and the capture in hand is kept")
    func damageAtRuntime() async throws {
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend()
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...50 { _ = try await bench.outbox.accept(bench.press(count)) }
            try await backend.waitForObjects(50)
            let storage = try await bench.storage
            try storage.records.checkpoint()
            let size = try #require(try Files.size(of: "\(directory.path)/outbox.db"))
            try write(Array(repeating: 0xff, count: size), to: "\(directory.path)/outbox.db")
            _ = try? storage.records.database.run("PRAGMA shrink_memory")
            let new = try await bench.outbox.accept(bench.press(payload: bench.picture()))
            #expect(new.description == "porch/1dea-d1/00000051")
            try await backend.waitForObjects(52)
            #expect(backend.names.last == "\(new)-bell.pressed.png")
            #expect(bench.messages(.error).count == 1)
        }
    }
}

/// How much damage is done: as much as a few seconds take, or with `PERCH_DAMAGE=all` (docs/storage.md has the figures)
/// what takes some minutes.
enum DamageScale {
    private static let isFull = getenv("PERCH_DAMAGE").map { String(cString: $0) } == "all"
    static let flips = isFull ? 2000 : 100
    static let truncationStep = isFull ? 61 : 1597
    static let lastStep = isFull ? 1 : 53
}

/// What an outbox has after it was opened: all that a backend would get, and what was said.
struct Examination {
    /// By identifier.
    private(set) var documents: [String: String] = [:]
    /// Records that are there and damaged.
    private(set) var damaged = 0
    let new: RecordID
    let messages: [LogEntry]
    let isSetAside: Bool

    init(of directory: TemporaryDirectory) throws {
        let log = RecordingLogSink()
        let storage = try OutboxStorage(
            OutboxStorage.Description(
                directory: directory.path, device: "porch", backends: ["test"], settings: OutboxSettings(),
                identity: "1dea", boot: "b007"), logger: Logger(log))
        var batch = OutboxStorage.Batch()
        batch.insertions = [
            Insertion(
                capture: Capture(part: "bell", event: "pressed", timestamp: .zero), monotonic: 0, time: Bench.start,
                isClockRight: true, whenDone: nil)
        ]
        guard case .success(let new)? = storage.write(&batch).results.first else { throw CancellationError() }
        self.new = new
        for source in [UploadSource.notes, .records] {
            var position: Int64 = 0
            while true {
                let plan = try storage.plan(for: "test", source, after: position, limit: 16, isEstimating: true)
                for loaded in try storage.load(plan.items.map(\.sequence), .everything, ahead: 0) {
                    switch loaded {
                    case .record(let record, _): documents[record.id.description] = record.document
                    case .gone: break
                    case .damaged: damaged += 1
                    }
                }
                position = plan.items.last?.sequence ?? position
                if plan.isEnd { break }
            }
        }
        guard documents.removeValue(forKey: new.description) != nil else { throw CancellationError() }
        storage.close()
        messages = log.entries
        isSetAside = try directory.files(in: "").contains("damaged-1")
    }
}
