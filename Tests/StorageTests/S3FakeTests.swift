import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("S3 backend and the strict fake")
struct S3FakeTests {
    private let object = StoredObject(
        name: "porch/1dea/00000001-bell pressed.json", mediaType: "application/json", body: .bytes(Array("{}".utf8)))

    private func store(
        _ objects: [StoredObject], on fake: FakeStorage, clockStart: WallTime? = nil
    ) async throws -> StorageError? {
        let keys = try #require(
            AccessKeys(accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"))
        return try await EventLoop.run(time: .real) { loop in
            let backend = try S3Backend(
                name: "photos", S3Settings(endpoint: fake.url + "/s3", bucket: "porch", region: "us-east-1"),
                keys: keys, wallClock: clockStart.map { .starting(at: $0, with: loop) } ?? .system, loop: loop)
            do {
                for object in objects { try await backend.store(object) }
                return nil
            } catch let error as StorageError {
                return error
            }
        }
    }

    @Test("An object arrives once, and again is the same object")
    func arrives() async throws {
        let fake = try FakeStorage()
        #expect(try await store([object, object], on: fake) == nil)
        #expect(try fake.stored("s3/porch/\(object.name)") == Array("{}".utf8))
        #expect(
            try fake.requests().map { $0.split(separator: " ") }.map { "\($0[0]) \($0[2])" }
                == ["PUT 200", "PUT 412", "HEAD 200"])
    }

    @Test("A server that knows no conditions is asked first")
    func noConditions() async throws {
        let fake = try FakeStorage(#"{"s3":{"conditions":"unknown"}}"#)
        #expect(try await store([object, object], on: fake) == nil)
        #expect(
            try fake.requests().map { $0.split(separator: " ") }.map { "\($0[0]) \($0[2])" }
                == ["PUT 501", "HEAD 404", "PUT 200", "HEAD 200"])
    }

    @Test("A clock that is years off is corrected by the server's")
    func clock() async throws {
        let fake = try FakeStorage()
        #expect(try await store([object], on: fake, clockStart: WallTime(sinceEpoch: .zero)) == nil)
        #expect(try fake.requests().map { $0.split(separator: " ").last } == ["403", "200"])
    }
}
