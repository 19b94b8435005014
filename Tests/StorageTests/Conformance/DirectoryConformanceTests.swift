import CaptureStore
import DeviceRuntime
import Glibc
import StorageBackends
import TestSupport
import Testing

/// A file system in memory, mounted for the length of a test. Needs to be root, as the storage ring is in CI.
final class MemoryDisk: Sendable {
    let directory: TemporaryDirectory
    var path: String { "\(directory.path)/stick" }

    init(options: String) throws {
        directory = try TemporaryDirectory()
        try directory.makeDirectory("stick")
        try mount(options)
    }

    deinit { try? unmount() }

    func mount(_ options: String) throws {
        try Self.run("/usr/bin/mount", "-t", "tmpfs", "-o", options, "perch-test", path)
    }

    func remountReadOnly() throws { try Self.run("/usr/bin/mount", "-o", "remount,ro", path) }

    func unmount() throws { try Self.run("/usr/bin/umount", path) }

    private static func run(_ command: String...) throws {
        let (lines, code) = try RunningProcess.run(command)
        guard code == 0 else { throw SystemError(code: EPERM, call: "\(command[0]): \(lines)") }
    }
}

/// What the backend that needs no server does with a stick, which is filled, spoilt and pulled out.
struct StickBehaviour: Sendable, CustomTestStringConvertible {
    let name: String
    let show: @Sendable (MemoryDisk, EventLoop) async throws -> Void

    init(_ name: String, _ show: @escaping @Sendable (MemoryDisk, EventLoop) async throws -> Void) {
        self.name = name
        self.show = show
    }

    var testDescription: String { name }

    private static func backend(
        _ disk: MemoryDisk, _ loop: EventLoop, keptFree: Int = 0
    ) throws -> DirectoryBackend {
        try DirectoryBackend(
            name: "stick", path: disk.path, conditions: DirectoryConditions(isMounted: true, keptFree: keptFree),
            loop: loop)
    }

    private static func picture(_ name: String, size: Int = 1000) -> StoredObject {
        StoredObject(name: name, mediaType: "image/png", body: .bytes(Array(repeating: 7, count: size)))
    }

    static let all = [
        StickBehaviour("A document and a picture arrive byte for byte; again changes nothing") { disk, loop in
            let backend = try backend(disk, loop)
            let source = try TemporaryDirectory()
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
            try write(bytes, to: "\(source.path)/picture")
            for _ in 0..<2 {
                try await backend.store(picture("a/1.json", size: 1))
                try await backend.store(
                    StoredObject(
                        name: "a/1.png", mediaType: "image/png",
                        body: .file(path: "\(source.path)/picture", size: bytes.count)))
            }
            try expect(try Files.read("\(disk.path)/a/1.png") == bytes, "it is another one")
            try expect(try disk.directory.tree() == ["stick/a/1.json", "stick/a/1.png"], "there is more")
        },
        StickBehaviour("A stick is filled up to what is to be kept free, and takes again once there is room") {
            disk, loop in
            let backend = try backend(disk, loop, keptFree: 500_000)
            try await backend.store(picture("a/1.png", size: 1_000_000))
            let error = try await expectFailure(backend, picture("a/2.png", size: 1_000_000))
            try expect(error.kind == .temporary(retryAfter: nil), "\(error)")
            try expect(error.message.contains("MB are free"), "\(error)")
            try Files.remove("\(disk.path)/a/1.png")
            try await backend.store(picture("a/2.png", size: 1_000_000))
        },
        StickBehaviour("An object for which there is no room leaves nothing, not even a part") { disk, loop in
            let backend = try backend(disk, loop)
            try await backend.store(picture("a/1.png"))
            let error = try await expectFailure(backend, picture("a/2.png", size: 3_000_000))
            try expect(error.kind == .temporary(retryAfter: nil) && error.advice != nil, "\(error)")
            try expect(try disk.directory.tree() == ["stick/a/1.png"], "a part of it is there")
        },
        StickBehaviour("A stick that has become read-only is told as such, and the record is kept") { disk, loop in
            let backend = try backend(disk, loop)
            try disk.remountReadOnly()
            let error = try await expectFailure(backend, picture("a/1.png"))
            try expect(error.kind == .temporary(retryAfter: nil) && error.message.contains("EROFS"), "\(error)")
            try expect(error.advice?.contains("failing") == true, "\(error)")
        },
        StickBehaviour(
            "While the stick is away nothing is written in its stead; when it is back it gets what it missed"
        ) {
            disk, loop in
            let backend = try backend(disk, loop)
            try disk.unmount()
            let error = try await expectFailure(backend, picture("a/1.png"))
            try expect(error.message.contains("nothing is mounted there"), "\(error)")
            try expect(try disk.directory.files(in: "stick").isEmpty, "something was written")
            try disk.mount("size=2m")
            try await backend.store(picture("a/1.png"))
        },
    ]
}

@Suite("Directory backend and sticks", .boundedHang)
struct DirectoryConformanceTests {
    @Test("What the directory backend does", arguments: StickBehaviour.all)
    func behaviour(_ behaviour: StickBehaviour) async throws {
        func tell(_ result: String) { print("storage|Directory|a mounted file system|\(behaviour.name)|\(result)") }
        do {
            let disk = try MemoryDisk(options: "size=2m")
            try await EventLoop.run(time: .real) { loop in try await behaviour.show(disk, loop) }
            tell("yes")
        } catch {
            tell("FAILED")
            Issue.record("\(behaviour.name): \(error)")
        }
    }
}
