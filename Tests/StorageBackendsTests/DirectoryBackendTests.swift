import CaptureStore
import DeviceRuntime
import Glibc
import StorageBackends
import TestSupport
import Testing

@Suite("Directory backend")
struct DirectoryBackendTests {
    private func store(
        _ objects: [StoredObject], in root: String, _ conditions: DirectoryConditions = DirectoryConditions()
    ) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let backend = try DirectoryBackend(name: "stick", path: root, conditions: conditions, loop: loop)
            for object in objects { try await backend.store(object) }
        }
    }

    private func failure(
        _ object: StoredObject, in root: String, _ conditions: DirectoryConditions = DirectoryConditions()
    ) async throws -> StorageError {
        do {
            try await store([object], in: root, conditions)
        } catch let error as StorageError {
            return error
        }
        throw CancellationError()
    }

    private func object(_ name: String, _ text: String = "{}") -> StoredObject {
        StoredObject(name: name, mediaType: "application/json", body: .bytes(Array(text.utf8)))
    }

    @Test("Objects become files in folders that are made, and nothing else is left there")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let picture = Array((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try write(picture, to: "\(directory.path)/source")
        let root = "\(directory.path)/a/b"
        try await store(
            [
                object("porch/1dea/1.json", "one"),
                StoredObject(
                    name: "porch/1dea/1.png", mediaType: "image/png",
                    body: .file(path: "\(directory.path)/source", size: picture.count)),
            ], in: root)
        #expect(try Files.read("\(root)/porch/1dea/1.json") == Array("one".utf8))
        #expect(try Files.read("\(root)/porch/1dea/1.png") == picture)
        #expect(try directory.files(in: "a/b/porch/1dea") == ["1.json", "1.png"])
    }

    @Test("Storing again replaces the file, also over what a crash left unfinished")
    func again() async throws {
        let directory = try TemporaryDirectory()
        try write(Array("a longer text than the new one".utf8), to: "\(directory.path)/.1.json.part")
        try await store([object("1.json", "one"), object("1.json", "two")], in: directory.path)
        #expect(try Files.read("\(directory.path)/1.json") == Array("two".utf8))
        #expect(try directory.files(in: "") == ["1.json"])
    }

    @Test(
        "A name does not lead out of the directory",
        arguments: ["../x", "a/../../x", "/x", "a//x", ".", "", "a/", "x\u{0}y"])
    func escapes(name: String) async throws {
        let directory = try TemporaryDirectory()
        let error = try await failure(object(name), in: "\(directory.path)/root")
        #expect(error.kind == .permanent)
        #expect(try directory.files(in: "").isEmpty)
    }

    @Test("A full disk is a temporary error that says so, and leaves the old file alone")
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        try await store([object("1.json", "old")], in: directory.path)
        // Whatever is written there meets a full disk.
        #expect(symlink("/dev/full", "\(directory.path)/.1.json.part") == 0)
        let error = try await failure(object("1.json", "new"), in: directory.path)
        #expect(error.kind == .temporary(retryAfter: nil))
        #expect(error.description.contains("ENOSPC"))
        #expect(error.advice == "make room there")
        #expect(try Files.read("\(directory.path)/1.json") == Array("old".utf8))
        #expect(try directory.files(in: "") == ["1.json"])
    }

    @Test("A file in the way is a temporary error with advice; a name that is too long is the record's own fault")
    func otherErrors() async throws {
        let directory = try TemporaryDirectory()
        try write([], to: "\(directory.path)/file")
        let inTheWay = try await failure(object("1.json"), in: "\(directory.path)/file")
        #expect(inTheWay.kind == .temporary(retryAfter: nil))
        #expect(inTheWay.advice != nil)
        let long = try await failure(object(String(repeating: "x", count: 300)), in: directory.path)
        #expect(long.kind == .permanent)
    }

    @Test("A source that is shorter than it should be is not stored")
    func shortSource() async throws {
        let directory = try TemporaryDirectory()
        try write([1, 2, 3], to: "\(directory.path)/source")
        let error = try await failure(
            StoredObject(
                name: "1.png", mediaType: "image/png", body: .file(path: "\(directory.path)/source", size: 4)),
            in: "\(directory.path)/root")
        #expect(error.kind == .temporary(retryAfter: nil))
        #expect(try directory.files(in: "root").isEmpty)
    }

    @Test("A folder that should be a mount point is not filled while nothing is mounted there")
    func notMounted() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("stick")
        for root in ["\(directory.path)/stick", "\(directory.path)/gone"] {
            let error = try await failure(object("1.json"), in: root, DirectoryConditions(isMounted: true))
            #expect(error.kind == .temporary(retryAfter: nil))
            #expect(error.message.contains("nothing is mounted there"))
        }
        #expect(try directory.files(in: "") == ["stick"])
        #expect(try directory.files(in: "stick").isEmpty)
    }

    @Test("A mount point is filled")
    func mounted() async throws {
        // The memory file system that every Linux has; not all of it, and nothing is left.
        let folder = "perch-test-\(getpid())"
        defer { try? Files.removeTree("/dev/shm/\(folder)") }
        let conditions = DirectoryConditions(isMounted: true, keptFree: 0)
        try await store([object("\(folder)/1.json", "one")], in: "/dev/shm", conditions)
        #expect(try Files.read("/dev/shm/\(folder)/1.json") == Array("one".utf8))
    }

    @Test("Room that is to be kept free is not taken, and the error says how much there is")
    func keptFree() async throws {
        let directory = try TemporaryDirectory()
        let error = try await failure(object("1.json"), in: directory.path, DirectoryConditions(keptFree: .max))
        #expect(error.kind == .temporary(retryAfter: nil))
        #expect(error.message.contains("MB are free, of which"))
        #expect(error.advice == "make room there, or set keep-free")
        #expect(try directory.files(in: "").isEmpty)
    }
}
