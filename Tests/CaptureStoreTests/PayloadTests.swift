import DeviceRuntime
import TestSupport
import Testing

@testable import CaptureStore

@Suite("Payload files")
struct PayloadTests {
    @Test("A file is taken over, delivered after its document, and removed once it is stored")
    func delivery() async throws {
        let directory = try TemporaryDirectory()
        let content = Protected<[UInt8]>([])
        let backend = RecordingBackend { object, _ in
            guard case .file(let path, 3) = object.body else { return }
            let bytes = try Files.read(path)
            content.withLock { $0 = bytes }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            let picture = try bench.picture([7, 8, 9])
            let id = try await bench.outbox.accept(bench.press(payload: picture))
            #expect(try Files.size(of: picture.path) == nil)
            try await backend.waitForObjects(2)
            #expect(backend.names == ["\(id)-bell.pressed.json", "\(id)-bell.pressed.png"])
        }
        #expect(content.withLock { $0 } == [7, 8, 9])
        #expect(try directory.files(in: "spool").isEmpty)
        #expect(try directory.files(in: "incoming").isEmpty)
    }

    @Test("Paths are never the same, also not over restarts with files left in the spool")
    func paths() async throws {
        let directory = try TemporaryDirectory()
        for count in 1...3 {
            try await Bench.run(in: directory) { bench in
                _ = try await bench.outbox.accept(bench.press(payload: bench.picture([UInt8(count)])))
            }
        }
        #expect(try directory.files(in: "spool").count == 3)
    }

    @Test("What a crash leaves without a record is removed at the next start")
    func orphans() async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press(payload: bench.picture()))
        }
        let kept = try directory.files(in: "spool")
        try write([1], to: "\(directory.path)/spool/9-9")
        try write([1], to: "\(directory.path)/incoming/9-10")
        try await Bench.run(in: directory) { bench in
            #expect(bench.messages(.info).contains("removed files of records that were never accepted"))
        }
        #expect(try directory.files(in: "spool") == kept)
        #expect(try directory.files(in: "incoming").isEmpty)
    }

    @Test(
        "A record whose file is gone or not as long as it was is delivered without it and says so",
        arguments: [nil, 0, 2, 4])
    func lostFile(size: Int?) async throws {
        let directory = try TemporaryDirectory()
        try await Bench.run(in: directory) { bench in
            _ = try await bench.outbox.accept(bench.press(payload: bench.picture()))
            var missing = try bench.picture()
            missing.path += "-missing"
            _ = try await bench.outbox.accept(bench.press(payload: missing))
        }
        for file in try directory.files(in: "spool") {
            let path = "\(directory.path)/spool/\(file)"
            try Files.remove(path)
            if let size { try write(Array(repeating: 1, count: size), to: path) }
        }
        let documents = Protected<[String]>([])
        let backend = RecordingBackend { object, _ in
            guard case .bytes(let bytes) = object.body else { return }
            documents.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            try await backend.waitForObjects(2)
            #expect(bench.messages(.error).count == 1)
        }
        #expect(documents.withLock { $0.map { $0.contains(#""lost":true"#) } } == [true, true])
        #expect(try entries(directory).isEmpty)
    }

    @Test("A crash in any state of a payload's way loses no accepted record and leaves no file behind")
    func crashes() async throws {
        let directory = try TemporaryDirectory()
        let copies = Protected<[(TemporaryDirectory, accepted: Int)]>([])
        let accepted = Protected(0)
        let backend = RecordingBackend { _, _ in
            let copy = (try directory.copy(), accepted: accepted.withLock { $0 })
            copies.withLock { $0.append(copy) }
        }
        try await Bench.run(in: directory, backends: [backend]) { bench in
            for count in 1...5 {
                _ = try await bench.outbox.accept(bench.press(payload: bench.picture()))
                accepted.withLock { $0 = count }
                try await backend.waitForObjects(count)
            }
            try await backend.waitForObjects(10)
        }
        for (index, (copy, accepted)) in copies.withLock({ $0 }).enumerated() {
            // The copy was made before object `index` was stored; what was stored before is with the backend.
            let again = RecordingBackend()
            let waiting = try entries(copy).flatMap(\.deliveries).reduce(0) { $0 + ($1.isFileOnly ? 1 : 2) }
            try await Bench.run(in: copy, backends: [again]) { _ in try await again.waitForObjects(waiting) }
            let names = Set(backend.names[..<index] + again.names)
            #expect(names.filter { $0.hasSuffix("json") }.count >= accepted)
            #expect(names.filter { $0.hasSuffix("png") }.count >= accepted)
            #expect(try entries(copy).isEmpty)
            #expect(try copy.files(in: "spool").isEmpty)
        }
    }
}
