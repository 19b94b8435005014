import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("HTTP backend and nginx", .boundedHang)
struct NginxTests {
    private func document(_ name: String, _ text: String = "{}") -> StoredObject {
        StoredObject(name: name, mediaType: "application/json", body: .bytes(Array(text.utf8)))
    }

    /// Stores the objects and returns the first error.
    private func store(
        _ objects: [StoredObject], at url: String, credentials: HTTPCredentials? = nil, authorities: String? = nil
    ) async throws -> StorageError? {
        try await EventLoop.run(time: .real) { loop in
            let backend = try HTTPBackend(
                name: "nas", url: url, credentials: credentials,
                connection: ConnectionSettings(authorities: authorities), loop: loop)
            do {
                for object in objects { try await backend.store(object) }
                return nil
            } catch let error as StorageError {
                return error
            }
        }
    }

    @Test("A document and a picture arrive byte for byte, over one connection for each lane; again is the same object")
    func roundTrip() async throws {
        let nginx = try Nginx()
        let picture = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
        try write(picture, to: "\(nginx.directory.path)/picture")
        let objects = [
            document("porch/1dea/00000001-bell.pressed.json", "{\"id\":1}"),
            StoredObject(
                name: "porch/1dea/00000001-bell.pressed.png", mediaType: "image/png",
                body: .file(path: "\(nginx.directory.path)/picture", size: picture.count)),
            document("porch/1dea/odd name?#%.json", "odd"), document("empty", ""),
        ]
        #expect(try await store(objects + objects, at: nginx.url) == nil)
        #expect(try nginx.stored(objects[0].name) == Array("{\"id\":1}".utf8))
        #expect(try nginx.stored(objects[1].name) == picture)
        #expect(try nginx.stored(objects[2].name) == Array("odd".utf8))
        #expect(try nginx.stored("empty") == [])
        nginx.stop()
        let requests = try nginx.requests().map { $0.split(separator: " ") }
        #expect(requests.map { $0[$0.count - 2] } == ["201", "201", "201", "201", "204", "204", "204", "204"])
        #expect(Set(requests.compactMap(\.last)).count == 2)
    }

    @Test("A connection that died while it was idle is replaced without a failure")
    func restart() async throws {
        let nginx = try Nginx()
        let document = document("1.json")
        try await EventLoop.run(time: .real) { loop in
            let backend = try HTTPBackend(name: "nas", url: nginx.url, loop: loop)
            for _ in 0..<3 {
                try await backend.store(document)
                nginx.stop()
                try nginx.start()
            }
        }
    }

    @Test(
        "Each refusal is told apart",
        arguments: [
            ("forbidden/", .temporary(retryAfter: .seconds(300)), "answers 403"),
            ("static/", .temporary(retryAfter: .seconds(300)), "answers 405"),
            ("missing/", .temporary(retryAfter: .seconds(300)), "answers 404"),
            ("redirect/", .temporary(retryAfter: .seconds(300)), "redirects to http://portal.example/login"),
            ("portal/", .temporary(retryAfter: nil), "a web page instead of a confirmation"),
            ("busy/", .temporary(retryAfter: .seconds(7)), "answers 429"),
            ("token/", .temporary(retryAfter: .seconds(300)), "answers 401"),
        ] as [(String, StorageError.Kind, String)])
    func refusals(path: String, kind: StorageError.Kind, message: String) async throws {
        let nginx = try Nginx()
        let error = try #require(try await store([document("1.json")], at: nginx.url + path))
        #expect(error.kind == kind)
        #expect(error.message.contains(message), "\(error)")
        #expect(error.message.contains(nginx.url + path), "\(error)")
    }

    @Test("An object that is too large is rejected for good, and the next one goes through")
    func tooLarge() async throws {
        let nginx = try Nginx()
        for size in [1_048_577, 8_000_000] {
            let large = StoredObject(
                name: "large.bin", mediaType: "application/octet-stream", body: .bytes(Array(repeating: 7, count: size))
            )
            let error = try #require(try await store([document("1.json"), large], at: nginx.url))
            #expect(error.kind == .permanent, "\(error)")
            #expect(error.message.contains("413"), "\(error)")
        }
        #expect(try await store([document("2.json")], at: nginx.url) == nil)
    }

    @Test("A token and a login are sent, and a wrong one is told without being shown")
    func credentials() async throws {
        let nginx = try Nginx()
        let document = document("1.json")
        #expect(try await store([document], at: nginx.url + "token/", credentials: .bearer("t0ken")) == nil)
        let login = HTTPCredentials.basic(user: "porch", password: "s3cret")
        #expect(try await store([document], at: nginx.url + "login/", credentials: login) == nil)
        let wrong = try #require(
            try await store([document], at: nginx.url + "login/", credentials: .basic(user: "porch", password: "guess"))
        )
        #expect(wrong.message.contains("401"))
        #expect(!wrong.description.contains("guess"))
    }

    @Test("A certificate that nobody known has signed is refused, and accepted with its authority's file")
    func certificates() async throws {
        let nginx = try Nginx(isSecure: true)
        let document = document("1.json")
        let refused = try #require(try await store([document], at: nginx.secureURL))
        #expect(refused.kind == .temporary(retryAfter: nil))
        #expect(refused.message.contains("certificate"), "\(refused)")
        #expect(refused.advice?.contains("authority") == true)
        #expect(try await store([document], at: nginx.secureURL, authorities: nginx.certificate) == nil)
        let missing = try #require(try await store([document], at: nginx.secureURL, authorities: "/nonexistent.pem"))
        #expect(missing.advice?.contains("PEM") == true, "\(missing)")
        // The right authority, but another host's name.
        let otherName = nginx.secureURL.replacing("127.0.0.1", with: "localhost")
        #expect(try await store([document], at: otherName, authorities: nginx.certificate) != nil)
    }

    @Test("A server that is not there is a temporary error that names it")
    func refused() async throws {
        let nginx = try Nginx()
        nginx.stop()
        let error = try #require(try await store([document("1.json")], at: nginx.url))
        #expect(error.kind == .temporary(retryAfter: nil))
        #expect(error.message.contains("127.0.0.1"), "\(error)")
        #expect(error.advice != nil)
    }
}
