import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("HTTP POST backend", .boundedHang)
struct HTTPPostTests {
    /// Stores the records at a server that answers so, and returns the error and what was asked.
    private func store(
        _ records: [StoredRecord], _ options: HTTPPostBackend.Options = HTTPPostBackend.Options(),
        path: String = "events?source=porch", credentials: HTTPCredentials? = nil,
        _ answer: @escaping @Sendable (PostServer.Request) -> String? = { _ in PostServer.answer(200) }
    ) async throws -> (error: StorageError?, requests: [PostServer.Request]) {
        try await EventLoop.run(time: .real) { loop in
            let server = try PostServer(loop: loop)
            let backend = try HTTPPostBackend(
                name: "hook", url: server.url + path, options: options, credentials: credentials, loop: loop)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.serve(answer) }
                defer { group.cancelAll() }
                do {
                    for start in stride(from: 0, to: records.count, by: backend.batchLimit) {
                        try await backend.store(Array(records[start...].prefix(backend.batchLimit)))
                    }
                    return (nil, server.requests)
                } catch let error as StorageError {
                    return (error, server.requests)
                }
            }
        }
    }

    @Test("A record is the body of a request, under its identity")
    func json() async throws {
        let (error, requests) = try await store([record(1), record(2)], credentials: .bearer("t0ken"))
        #expect(error == nil)
        #expect(requests.map(\.body) == [record(1).document, record(2).document])
        #expect(requests.map(\.line) == Array(repeating: "POST /events?source=porch HTTP/1.1", count: 2))
        #expect(requests.map { $0.headers["content-type"] } == ["application/json", "application/json"])
        #expect(
            requests.map { $0.headers["idempotency-key"] } == ["porch/3fa2c81b/00000001", "porch/3fa2c81b/00000002"])
        #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer t0ken" })
    }

    @Test("Many records are lines of one body, whose identity is the same for the same ones")
    func lines() async throws {
        let records = (1...3).map { record($0) }
        let options = HTTPPostBackend.Options(format: .lines)
        let first = try await store(records, options)
        let second = try await store(records, options)
        let other = try await store(Array(records.dropLast()), options)
        #expect(first.error == nil)
        #expect(first.requests.map(\.body) == [records.map { $0.document + "\n" }.joined()])
        #expect(first.requests.first?.headers["content-type"] == "application/x-ndjson")
        let keys = [first, second, other].map { $0.requests.first?.headers["idempotency-key"] ?? "" }
        #expect(keys[0] == keys[1])
        #expect(keys[0] != keys[2])
        #expect(keys[0].count == 64)
    }

    @Test("A template puts in what a record says, escaped for JSON and as it is for text")
    func templates() async throws {
        let template = try #require(BodyTemplate("{\"text\": \"${part} ${event}: ${fields.note}\", \"of\": ${record}}"))
        let plain = try #require(BodyTemplate("${device} ${part} at ${time}: ${fields.note}${fields.none}"))
        let noted = StoredRecord(
            id: RecordID(device: "porch", identity: "3fa2c81b", sequence: 1), part: "bell", event: "pressed",
            time: WallTime(sinceEpoch: .seconds(1_772_350_200)), fields: [.init("note", .text("a \"b\"\n"))],
            document: "{\"id\":1}", objects: [])
        let json = try await store([noted], .init(format: .template(template, contentType: "application/json")))
        #expect(json.requests.map(\.body) == ["{\"text\": \"bell pressed: a \\\"b\\\"\\n\", \"of\": {\"id\":1}}"])
        let text = try await store([noted], .init(format: .template(plain, contentType: "text/plain")))
        #expect(text.requests.map(\.body) == ["porch bell at 2026-03-01T07:30:00.000Z: a \"b\"\n"])
        #expect(text.requests.first?.headers["content-type"] == "text/plain")
        for wrong in ["", "${", "${part", "${pard}", "${fields.}"] { #expect(BodyTemplate(wrong) == nil) }
    }

    @Test("A body is signed so that another program can check it")
    func signature() async throws {
        let signature = try #require(BodySignature(header: "X-Signature", key: Array("k3y".utf8)))
        let options = HTTPPostBackend.Options(signature: signature)
        let (error, requests) = try await store([record(1, padding: 5000)], options)
        #expect(error == nil)
        let directory = try TemporaryDirectory()
        try directory.write(requests.first?.body ?? "", to: "body")
        let (lines, code) = try RunningProcess.run([
            "/usr/bin/openssl", "dgst", "-sha256", "-hmac", "k3y", "-r", "\(directory.path)/body",
        ])
        #expect(code == 0)
        let digest = lines.first?.split(separator: " ").first.map(String.init) ?? "?"
        #expect(requests.first?.headers["x-signature"] == "sha256=\(digest)")
        #expect("\(signature)" == "a key")
        #expect(BodySignature(header: "no header", key: [1]) == nil)
        #expect(BodySignature(header: "X", key: []) == nil)
    }

    @Test("The secret end of an address is asked for and never told")
    func secretPath() async throws {
        let options = HTTPPostBackend.Options(secretPath: "T0/s3cret")
        let taken = try await store([record(1)], options, path: "services")
        #expect(taken.requests.map(\.line) == ["POST /services/T0/s3cret HTTP/1.1"])
        for answer in [PostServer.answer(403), nil] {
            let refused = try await store([record(1)], options, path: "services") { _ in answer }
            let error = try #require(refused.error)
            #expect(error.message.contains("/services"), "\(error)")
            #expect(!error.description.contains("s3cret"), "\(error)")
        }
    }

    enum Meaning: Sendable { case stored, temporary, pause, rejected }

    @Test(
        "Each answer, as the outbox has to take it",
        arguments: [
            (.stored, 200, "application/json", ""), (.stored, 201, "", ""), (.stored, 202, "", ""),
            (.stored, 204, "", ""),
            (.temporary, 200, "text/html", "<html>Please log in</html>"), (.temporary, 409, "", ""),
            (.temporary, 429, "", ""), (.temporary, 503, "", ""), (.rejected, 400, "", ""), (.rejected, 422, "", ""),
            (.rejected, 413, "", ""), (.pause, 401, "", ""), (.pause, 404, "", ""), (.pause, 405, "", ""),
            (.pause, 302, "", ""), (.pause, 501, "", ""),
        ] as [(Meaning, Int, String, String)])
    func answers(meaning: Meaning, status: Int, type: String, body: String) async throws {
        let (error, _) = try await store([record(1)]) { _ in PostServer.answer(status, type, body) }
        switch (meaning, error?.kind) {
        case (.stored, nil), (.temporary, .temporary(retryAfter: nil)), (.rejected, .permanent): break
        case (.pause, .temporary(retryAfter: .some)): #expect(error?.advice != nil)
        default: Issue.record("\(status): \(String(describing: error))")
        }
        if let error { #expect(error.message.contains("answers \(status)"), "\(error)") }
    }

    @Test("What the answer has to contain is looked for: a status is cheap")
    func expectation() async throws {
        let options = HTTPPostBackend.Options(expectation: "\"ok\":true")
        let right = try await store([record(1)], options) { _ in PostServer.answer(200, "", "{\"ok\":true}") }
        #expect(right.error == nil)
        let wrong = try await store([record(1)], options) { _ in PostServer.answer(200, "", "{\"ok\":false}") }
        #expect(wrong.error?.kind == .temporary(retryAfter: nil))
        #expect(wrong.error?.message.contains("without '\"ok\":true'") == true, "\(String(describing: wrong.error))")
    }

    @Test("A record whose answer is lost is sent again under the same identity")
    func lostAnswer() async throws {
        let first = try await store([record(1)]) { _ in nil }
        #expect(first.error?.kind == .temporary(retryAfter: nil))
        let second = try await store([record(1)])
        #expect(first.requests.first?.headers["idempotency-key"] == second.requests.first?.headers["idempotency-key"])
        #expect(first.requests.first?.body == second.requests.first?.body)
    }

    @Test(
        "An address may have a query, but no login and no fragment",
        arguments: [
            ("https://api.local", true), ("https://api.local/a?b=c&d=e", true),
            ("http://10.0.0.2:8123/api/webhook/x", true),
            ("https://user:secret@api.local", false), ("https://api.local/a#b", false),
            ("https://api.local/?a=b#c", false),
            ("ftp://api.local", false), ("https://api.local/?a b", false), ("", false),
        ])
    func addresses(url: String, isValid: Bool) { #expect(HTTPPostBackend.isValid(url) == isValid) }
}
