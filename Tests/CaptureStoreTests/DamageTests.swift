import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

/// What can happen to a file.
struct Damage: Sendable, CustomTestStringConvertible {
    let file: String
    let testDescription: String
    let apply: @Sendable (inout [UInt8]) -> Void

    static func cut(_ file: String, _ fraction: Double) -> Damage {
        Damage(file: file, testDescription: "\(file) cut at \(fraction)") { bytes in
            bytes.removeLast(bytes.count - Int(Double(bytes.count) * fraction))
        }
    }

    static func flip(_ file: String, _ fraction: Double, count: Int = 1) -> Damage {
        Damage(file: file, testDescription: "\(file), \(count) bytes at \(fraction)") { bytes in
            let start = Int(Double(bytes.count) * fraction)
            for index in start..<min(start + count, bytes.count) { bytes[index] ^= 0xff }
        }
    }

    static func zero(_ file: String) -> Damage {
        Damage(file: file, testDescription: "\(file) full of zeros") { bytes in
            bytes = Array(repeating: 0, count: bytes.count)
        }
    }

    static let all: [Damage] =
        [0, 0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999].flatMap { fraction in
            [
                .cut("outbox.db", fraction), .cut("outbox.db-wal", fraction), .flip("outbox.db", fraction),
                .flip("outbox.db", fraction, count: 1024), .flip("outbox.db-wal", fraction),
                .flip("outbox.db-wal", fraction, count: 1024), .flip("outbox.db-shm", fraction),
            ]
        } + [.zero("outbox.db"), .zero("outbox.db-wal"), .zero("outbox.db-shm")]
}

@Suite("Damaged outbox")
struct DamageTests {
    /// What a killed daemon leaves: some records in the file, some in its log, files in the spool.
    private func killedOutbox() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            for count in 1...24 { bench.outbox.enqueue(bench.press(count)) }
        }
        return try await Bench.run(in: directory) { bench in
            for count in 25...40 {
                _ = try await bench.outbox.accept(
                    bench.press(count, payload: count % 10 == 0 ? bench.picture() : nil))
            }
            return try directory.copy()
        }
    }

    @Test("Whatever happened to the file, the outbox opens, accepts, delivers, and names nothing a second time")
    func damage() async throws {
        let killed = try await killedOutbox()
        let before = Set(try entries(killed).map(\.id))
        #expect(before.count == 40)
        for damage in Damage.all {
            let directory = try killed.copy()
            var bytes = try Files.read("\(directory.path)/\(damage.file)")
            damage.apply(&bytes)
            try write(bytes, to: "\(directory.path)/\(damage.file)")
            let backend = RecordingBackend()
            let (new, log) = try await Bench.run(in: directory, backends: [backend]) { bench in
                let new = try await bench.outbox.accept(bench.press(payload: bench.picture()))
                // Nothing but the uploader's end shows that it is through: the new record is the last one.
                while !backend.names.contains("\(new)-bell.pressed.png") {
                    try await backend.waitForObjects(backend.names.count + 1)
                }
                return (new, bench.log)
            }
            #expect(!before.contains(new), "\(damage.testDescription)")
            #expect(new.identity != "1dea", "\(damage.testDescription)")
            #expect(try entries(directory).isEmpty, "\(damage.testDescription)")
            #expect(try directory.files(in: "spool").isEmpty, "\(damage.testDescription)")
            let isAside = try directory.files(in: "").contains("damaged-1")
            #expect(isAside == log.entries.contains { $0.message.contains("set aside") }, "\(damage.testDescription)")
        }
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
            let database = try Database("\(directory.path)/outbox.db", .readWrite)
            try database.run("DELETE FROM deliveries WHERE sequence = 2 OR (sequence = 3 AND backend = 'nas')")
        }
        try await Bench.run(in: directory, for: ["nas", "cloud"]) { _ in }
        #expect(
            try entries(directory).map { $0.deliveries.map(\.backend) } == [
                ["cloud", "nas"], ["cloud", "nas"], ["cloud"],
            ])
    }

    @Test("Damage that shows while the daemon runs does not stop it either, and the capture in hand is kept")
    func damageAtRuntime() async throws {
        let directory = try TemporaryDirectory()
        let backend = RecordingBackend()
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...50 { _ = try await bench.outbox.accept(bench.press(count)) }
            try await backend.waitForObjects(50)
            let storage = await bench.outbox.storage
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
