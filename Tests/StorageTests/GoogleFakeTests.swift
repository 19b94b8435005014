import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("Google's storage and Firebase, and the strict fake", .boundedHang)
struct GoogleFakeTests {
    /// Runs `body` with a bench whose fake is set up by `settings`.
    private func run(
        _ site: StorageSite = Site.googleFake, _ settings: String = "{}",
        _ body: @escaping @Sendable (StorageBench) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .real) { loop in
            let bench = try StorageBench(site, loop: loop)
            try bench.fake.set(settings)
            try await body(bench)
        }
    }

    @Test("One token serves many objects, and one that is withdrawn is replaced without a failure")
    func tokens() async throws {
        try await run { bench in
            let backend = try bench.backend()
            for number in 0..<3 { try await backend.store(bench.document("\(number).json")) }
            #expect(try bench.requests("^POST /token") == ["POST /token 200"])
            try bench.fake.set(#"{"google":{"revoke":1}}"#)
            try await backend.store(bench.document("3.json"))
            #expect(try bench.requests("^POST /token").count == 2)
            #expect(try bench.requests(" 401$").count == 1)
        }
    }

    @Test("A token that is about to end is not used any more")
    func expiry() async throws {
        try await run(Site.googleFake, #"{"google":{"expires":0}}"#) { bench in
            let backend = try bench.backend()
            let error = try await failure(backend, bench.document("1.json"))
            #expect(error?.message.contains("401") == true, "\(String(describing: error))")
            try bench.fake.set("{}")
            try await backend.store(bench.document("1.json"))
        }
    }

    @Test("An account that Google does not know is told with what it says, and what to do")
    func unknownAccount() async throws {
        try await run(Site.googleFake, #"{"google":{"issuer":"other@porch"}}"#) { bench in
            let error = try #require(try await failure(try bench.backend(), bench.document("1.json")))
            #expect(error.kind == .temporary(retryAfter: .seconds(300)))
            #expect(error.message.contains("perch@porch.iam.gserviceaccount.com: Invalid grant: account not found"))
            #expect(error.advice != nil)
        }
    }

    @Test("A session that has nothing yet answers without Range: it goes on from the beginning")
    func nothingYet() async throws {
        try await run { bench in
            let (film, bytes) = try bench.picture("film.mp4", size: 11_000_000)
            try bench.fault("^PUT /session", #""reset":1000"#)
            #expect(try await failure(try bench.backend(), film)?.kind == .temporary(retryAfter: nil))
            try await bench.backend().store(film)
            #expect(try bench.content(film) == bytes)
            #expect(try bench.requests("uploadType=resumable").count == 1)
        }
    }

    @Test("A session that is gone is begun anew", arguments: [404, 410])
    func gone(status: Int) async throws {
        try await run { bench in
            let (film, bytes) = try bench.picture("film.mp4", size: 11_000_000)
            try bench.fault("^PUT /session", #""status":\#(status)"#, after: 1)
            #expect(try await failure(try bench.backend(), film)?.kind == .temporary(retryAfter: nil))
            try await bench.backend().store(film)
            #expect(try bench.content(film) == bytes)
            #expect(try bench.requests("uploadType=resumable").count == 2)
        }
    }

    @Test("A server that does not take an upload any further is left alone for a while")
    func stuck() async throws {
        try await run(Site.googleFake, #"{"google":{"keep":0}}"#) { bench in
            let (film, _) = try bench.picture("film.mp4", size: 11_000_000)
            let error = try #require(try await failure(try bench.backend(), film))
            #expect(error.kind == .temporary(retryAfter: nil))
            #expect(error.message.contains("any further than 0 bytes"), "\(error)")
        }
    }

    @Test("The address of a session is shown in no message: who has it may write")
    func secretAddress() async throws {
        try await run { bench in
            let (film, _) = try bench.picture("film.mp4", size: 11_000_000)
            try bench.fault("^PUT /session", #""reset":1000"#)
            let error = try #require(try await failure(try bench.backend(), film))
            #expect(!error.description.contains("session"), "\(error)")
        }
    }

    @Test("An object whose hashes are not those of what was sent does not keep its name")
    func wrongHash() async throws {
        try await run { bench in
            let document = bench.document("1.json")
            try bench.fault("^POST /upload", #""etag":true"#)
            let error = try #require(try await failure(try bench.backend(), document))
            #expect(error.kind == .temporary(retryAfter: nil) && error.message.contains("something else"), "\(error)")
            #expect(try bench.content(document) == nil)
        }
    }

    @Test("An entry of Firebase says where its file can be had, with the token that the file has")
    func firebase() async throws {
        try await run(Site.firebase) { bench in
            let (picture, bytes) = try bench.picture("1 a.png", size: 1000)
            for _ in 0..<2 { try await bench.backend().store(picture) }
            #expect(try bench.content(picture) == bytes)
            let entry = String(
                decoding: try bench.fake.stored("database/events/porch/1dea0000/00000001-bell-pressed.json") ?? [],
                as: UTF8.self)
            #expect(
                entry.contains(#","download":"https://firebasestorage.googleapis.com/v0/b/porch/o/try-"#), "\(entry)")
            #expect(entry.contains("%2F1%20a.png?alt=media&token="), "\(entry)")
            let token = try #require(entry.split(separator: "token=").last?.dropLast(2))
            #expect(token.count == 36)
            let metadata = try bench.fake.metadata("google/porch/\(picture.name)")
            #expect(metadata.contains("\"firebaseStorageDownloadTokens\": \"\(token)\""), "\(metadata)")
        }
    }
}
