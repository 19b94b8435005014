import CaptureStore
import DeviceRuntime
import Glibc
import StorageBackends
import TestSupport
import Testing

/// A file system in memory, mounted for the length of a test. Needs to be root, as the storage ring is in CI.
private final class MemoryDisk: Sendable {
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

@Suite("Directory backend and sticks")
struct MountTests {
    private func store(
        _ size: Int, _ name: String, on path: String, _ conditions: DirectoryConditions
    ) async throws
        -> StorageError?
    {
        try await EventLoop.run(time: .real) { loop in
            let backend = try DirectoryBackend(name: "stick", path: path, conditions: conditions, loop: loop)
            let body = StoredObject.Body.bytes(Array(repeating: 7, count: size))
            return try await failure(backend, StoredObject(name: name, mediaType: "image/png", body: body))
        }
    }

    @Test("A stick fills up to what is to be kept free, and takes again once there is room")
    func full() async throws {
        let disk = try MemoryDisk(options: "size=2m")
        let conditions = DirectoryConditions(isMounted: true, keptFree: 500_000)
        #expect(try await store(1_000_000, "a/1.png", on: disk.path, conditions) == nil)
        let error = try #require(try await store(1_000_000, "a/2.png", on: disk.path, conditions))
        #expect(error.kind == .temporary(retryAfter: nil))
        #expect(error.message.contains("MB are free"), "\(error)")
        #expect(try disk.directory.tree() == ["stick/a/1.png"])
        // To the last byte, and beyond.
        let last = try #require(
            try await store(1_500_000, "a/3.png", on: disk.path, DirectoryConditions(isMounted: true, keptFree: 0)))
        #expect(last.kind == .temporary(retryAfter: nil))
        #expect(try disk.directory.tree() == ["stick/a/1.png"])
        try Files.remove("\(disk.path)/a/1.png")
        #expect(try await store(1_000_000, "a/2.png", on: disk.path, conditions) == nil)
    }

    @Test("A stick that has become read-only, or was pulled out, is told as such; what is in its stead stays empty")
    func gone() async throws {
        let disk = try MemoryDisk(options: "size=2m")
        let conditions = DirectoryConditions(isMounted: true, keptFree: 0)
        #expect(try await store(1000, "a/1.png", on: disk.path, conditions) == nil)
        try disk.remountReadOnly()
        let readOnly = try #require(try await store(1000, "a/2.png", on: disk.path, conditions))
        #expect(readOnly.kind == .temporary(retryAfter: nil) && readOnly.message.contains("EROFS"), "\(readOnly)")
        try disk.unmount()
        let away = try #require(try await store(1000, "a/2.png", on: disk.path, conditions))
        #expect(away.message.contains("nothing is mounted there"), "\(away)")
        #expect(try disk.directory.files(in: "stick").isEmpty)
        try disk.mount("size=2m")
        #expect(try await store(1000, "a/2.png", on: disk.path, conditions) == nil)
    }
}
