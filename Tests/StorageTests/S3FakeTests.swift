import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("S3 backend and the strict fake", .boundedHang)
struct S3FakeTests {
    private func run(
        _ settings: String = "{}", _ body: @escaping @Sendable (StorageBench) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .real) { loop in
            let bench = try StorageBench(Site.s3Fake, loop: loop)
            try bench.fake.set(settings)
            try await body(bench)
        }
    }

    /// What was asked and answered, without the addresses.
    private func exchanges(_ bench: StorageBench) throws -> [String] {
        try bench.requests("").map { $0.split(separator: " ") }.map { "\($0[0]) \($0[2])" }
    }

    @Test("A name that is taken is compared, not sent again")
    func taken() async throws {
        try await run { bench in
            for _ in 0..<2 { try await bench.backend().store(bench.document("1.json")) }
            #expect(try exchanges(bench) == ["PUT 200", "PUT 412", "HEAD 200"])
        }
    }

    @Test("A server that knows no conditions is asked first, from then on")
    func noConditions() async throws {
        try await run(#"{"s3":{"conditions":"unknown"}}"#) { bench in
            let backend = try bench.backend()
            for _ in 0..<2 { try await backend.store(bench.document("1.json")) }
            #expect(try exchanges(bench) == ["PUT 501", "HEAD 404", "PUT 200", "HEAD 200"])
        }
    }

    @Test("A server that passes over conditions gets the same object again")
    func ignoredConditions() async throws {
        try await run(#"{"s3":{"conditions":"ignored"}}"#) { bench in
            for _ in 0..<2 { try await bench.backend().store(bench.document("1.json")) }
            #expect(try exchanges(bench) == ["PUT 200", "PUT 200"])
        }
    }

    @Test("An ETag that is not that of what was sent, and one that is missing, are no success")
    func entityTags() async throws {
        try await run { bench in
            for (name, fault) in [("1.json", #""etag":true"#), ("2.json", #""without":"ETag""#)] {
                try bench.fault("^PUT", fault)
                let error = try #require(try await failure(try bench.backend(), bench.document(name)))
                #expect(error.kind == .temporary(retryAfter: nil) && error.message.contains("ETag"), "\(error)")
                try await bench.backend().store(bench.document(name))
            }
        }
    }

    @Test("A large upload that fails at its very end, with 200, is finished the next time without its parts")
    func lateError() async throws {
        try await run(#"{"s3":{"complete":"error"}}"#) { bench in
            let (film, bytes) = try bench.picture("film.mp4", size: 11_000_000)
            let error = try #require(try await failure(try bench.backend(), film))
            #expect(error.kind == .temporary(retryAfter: nil) && error.message.contains("InternalError"), "\(error)")
            try bench.fake.set("{}")
            try await bench.backend().store(film)
            #expect(try bench.content(film) == bytes)
            #expect(try bench.requests("^PUT").count == 3)
        }
    }

    @Test("Parts of an upload that nobody will finish are given up after a week, and not before")
    func stale() async throws {
        try await run(#"{"s3":{"complete":"error","age":700000}}"#) { bench in
            let (old, _) = try bench.picture("old.mp4", size: 11_000_000)
            #expect(try await failure(try bench.backend(), old) != nil)
            try bench.fake.set(#"{"s3":{"complete":"error"}}"#)
            let (recent, _) = try bench.picture("recent.mp4", size: 11_000_001)
            #expect(try await failure(try bench.backend(), recent) != nil)
            try bench.fake.set("{}")
            let (film, _) = try bench.picture("film.mp4", size: 11_000_002)
            try await bench.backend().store(film)
            let given = try bench.requests("^DELETE .*uploadId=")
            #expect(given.count == 1 && given[0].contains("old.mp4"), "\(given)")
        }
    }

    @Test("A wrong region and a missing bucket are told with what to do, and the record is kept")
    func misconfigured() async throws {
        for (settings, advice) in [(#"{"s3":{"region":"eu-central-1"}}"#, "check the region")] {
            try await run(settings) { bench in
                let error = try #require(try await failure(try bench.backend(), bench.document("1.json")))
                #expect(error.kind == .temporary(retryAfter: .seconds(300)), "\(error)")
                #expect(error.advice == advice)
            }
        }
    }

    @Test("A prefix, a storage class, a session token and another bucket are what the server gets")
    func settings() async throws {
        try await run(#"{"s3":{"token":"t0ken"}}"#) { bench in
            let keys = try #require(
                AccessKeys(
                    accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                    sessionToken: "t0ken"))
            var settings = S3Settings(endpoint: bench.fake.url + "/s3", bucket: "porch", region: "us-east-1")
            settings.prefix = "cameras/front/"
            settings.storageClass = "STANDARD_IA"
            let document = bench.document("1.json")
            try await S3Backend(name: "s3", settings, keys: keys, loop: bench.loop).store(document)
            #expect(try bench.fake.stored("s3/porch/cameras/front/\(document.name)") != nil)
            #expect(try bench.fake.metadata("s3/porch/cameras/front/\(document.name)").contains("STANDARD_IA"))
            settings.bucket = "other"
            let error = try await failure(try S3Backend(name: "s3", settings, keys: keys, loop: bench.loop), document)
            #expect(error?.advice == "make the bucket, or check its name and the endpoint")
        }
    }

    @Test("An event does not wait for a film that is on its way")
    func lanes() async throws {
        try await run { bench in
            let backend = try bench.backend()
            let (film, _) = try bench.picture("film.mp4", size: 1_000_000)
            try bench.fault("^PUT .*film", #""silent":true"#)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await #expect(throws: CancellationError.self) { try await backend.store(film) } }
                await #expect(throws: Never.self) {
                    while try bench.fake.silenced() < 1 { try await bench.loop.sleep(for: .milliseconds(2)) }
                    try await backend.store(bench.document("1.json"))
                }
                group.cancelAll()
            }
        }
    }
}
