import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Changing what waits in the outbox")
struct MaintenanceTests {
    /// Three records for two backends; `nas` has rejected the second one, `cloud` has the first.
    private func outbox() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory, for: ["nas", "cloud"]) { bench in
            var ids: [RecordID] = []
            for count in 1...3 {
                let payload = count == 2 ? try bench.picture() : nil
                ids.append(try await bench.outbox.accept(bench.press(count, payload: payload)))
            }
            try await bench.settle(ids[0], backend: "cloud")
            try await bench.note(ids[0], backend: "nas", attempts: 4, "503")
            try await bench.note(ids[1], backend: "nas", attempts: 1, "422", isRejected: true)
        }
        return directory
    }

    private func deliveries(_ directory: TemporaryDirectory) throws -> [Int64: [String]] {
        try entries(directory).reduce(into: [:]) { result, entry in
            result[entry.id.sequence] = entry.deliveries.map { $0.backend + ($0.isRejected ? " rejected" : "") }
        }
    }

    /// Does it to a closed outbox and to one that is open.
    private func both(
        _ closed: (ClosedOutbox) throws -> Int, _ open: @escaping @Sendable (Outbox) async throws -> Int,
        count: Int, left: [Int64: [String]], files: Int
    ) async throws {
        let first = try await outbox()
        #expect(try closed(#require(try ClosedOutbox(directory: first.path))) == count)
        let second = try await outbox()
        let counted = try await Bench.run(in: second, for: ["nas", "cloud"]) { try await open($0.outbox) }
        #expect(counted == count)
        for directory in [first, second] {
            #expect(try deliveries(directory) == left)
            #expect(try directory.files(in: "spool").count == files)
            // What is gone has taken nothing along: the next record has the next number.
            let next = try await Bench.run(in: directory, for: ["nas"]) { try await $0.outbox.accept($0.press()) }
            #expect(next.description == "porch/1dea/00000004")
        }
    }

    @Test("A dead letter waits again")
    func retry() async throws {
        let selection = RecordSelection(backend: "nas")
        try await both(
            { try $0.retry(selection) }, { try await $0.retry(selection) }, count: 1,
            left: [1: ["nas"], 2: ["cloud", "nas"], 3: ["cloud", "nas"]], files: 1)
    }

    @Test("Of another storage, or of another number, there is none")
    func retryNothing() async throws {
        for selection in [
            RecordSelection(backend: "cloud"), RecordSelection(backend: "tape"), RecordSelection(sequences: [3]),
        ] {
            try await both(
                { try $0.retry(selection) }, { try await $0.retry(selection) }, count: 0,
                left: [1: ["nas"], 2: ["cloud", "nas rejected"], 3: ["cloud", "nas"]], files: 1)
        }
    }

    @Test("A dead letter that is given up goes for the storage that rejected it")
    func dropRejected() async throws {
        let selection = RecordSelection(isRejected: true)
        try await both(
            { try $0.drop(selection) }, { try await $0.drop(selection) }, count: 1,
            left: [1: ["nas"], 2: ["cloud"], 3: ["cloud", "nas"]], files: 1)
    }

    @Test("Records that are given up go for all, with their files, also the last one")
    func drop() async throws {
        let selection = RecordSelection(sequences: [2, 3, 77])
        try await both(
            { try $0.drop(selection) }, { try await $0.drop(selection) }, count: 2, left: [1: ["nas"]], files: 0)
    }

    @Test("A dead letter that is retried while the daemon runs is tried at once")
    func retryRunning() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let isLenient = Protected(false)
        let backend = RecordingBackend { object, _ in
            if object.name.contains("00000001"), !isLenient.withLock({ $0 }) { throw StorageError(.permanent, "422") }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...2 { bench.outbox.enqueue(bench.press(count)) }
            try await backend.waitForObjects(1)
            isLenient.withLock { $0 = true }
            #expect(try await bench.outbox.retry(RecordSelection()) == 1)
            try await backend.waitForObjects(2)
        }
        #expect(try entries(directory).isEmpty)
    }

    @Test("Nobody waits for a pause who asks not to")
    func flush() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let isUp = Protected(false)
        let backend = RecordingBackend { _, _ in
            guard isUp.withLock({ $0 }) else { throw StorageError(.temporary(retryAfter: .seconds(3600)), "no route") }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            bench.outbox.enqueue(bench.press())
            try await bench.loop.sleep(for: .seconds(10))
            isUp.withLock { $0 = true }
            // A reading would wait for others.
            bench.outbox.enqueue(
                Capture(part: "light", event: "reading", recordClass: .reading, timestamp: bench.loop.now))
            try await bench.outbox.flush()
            try await backend.waitForObjects(2)
            #expect(bench.loop.now < .seconds(20))
        }
    }

    @Test("An outbox that a daemon has open is left alone")
    func open() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press())
            let closed = try ClosedOutbox(directory: directory.path)
            #expect(closed == nil)
        }
        let free = try ClosedOutbox(directory: directory.path)
        #expect(free != nil)
    }

    @Test("A record that is exported is what a storage gets, and stays")
    func export() async throws {
        let directory = try await outbox()
        var names: [String] = []
        try OutboxReader(directory: directory.path).forEachRecord(RecordSelection(isRejected: true)) { record, _ in
            names += record.objects.map(\.name)
        }
        #expect(names == ["porch/1dea/00000002-bell.pressed.json", "porch/1dea/00000002-bell.pressed.png"])
        #expect(try entries(directory).count == 3)
    }

    @Test("What was delivered is remembered, with names and sizes, as far back as 1,000 records")
    func receipts() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let sizes = Protected<[String: Int]>([:])
        let backend = RecordingBackend { object, _ in sizes.withLock { $0[object.name] = object.size } }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...1500 {
                bench.outbox.enqueue(bench.press(count, payload: count.isMultiple(of: 500) ? try bench.picture() : nil))
            }
            try await backend.waitForObjects(1503)
        }
        let receipts = try OutboxReader(directory: directory.path).receipts(of: "test")
        #expect(receipts.count == 1002)
        #expect(receipts.allSatisfy { receipt in sizes.withLock { $0[receipt.name] } == receipt.size })
        #expect(receipts.last?.name == "porch/1dea/00001500-bell.pressed.png")
    }

    @Test(
        "A record is named by its identifier, an object's name or its number",
        arguments: [
            ("porch/3fa2c81b/00000042", 42), ("42", 42), ("00000042-bell.pressed.json", 42),
            ("porch/3fa2c81b/00000042-bell.pressed.png", 42), ("", nil), ("0", nil), ("-1", nil), ("bell", nil),
            ("99999999999999999999", nil), ("٤٢", nil),
        ] as [(String, Int64?)])
    func names(text: String, sequence: Int64?) { #expect(RecordSelection.sequence(of: text) == sequence) }
}
