import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("HTTP backend and servers that do not answer", .boundedHang)
struct SilentServerTests {
    private let object = StoredObject(name: "1.json", mediaType: "application/json", body: .bytes([1, 2, 3]))

    /// Stores an object at a server that answers with `text`, keeps the connection if `staysOpen`, and returns
    /// the error.
    private func failure(answer text: String?, staysOpen: Bool = true) async throws -> StorageError? {
        try await EventLoop.run(time: .real) { [object] loop in
            let server = try ListeningSocket()
            let backend = try HTTPBackend(
                name: "nas", url: server.url,
                connection: ConnectionSettings(deadlines: TransferDeadlines(total: .milliseconds(200))), loop: loop)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let connection = try await server.accept(on: loop)
                    if let text {
                        try connection.receive()
                        try connection.send(text)
                    }
                    if !staysOpen { connection.close() }
                    // Until the group is cancelled.
                    try await Waiter().wait()
                }
                defer { group.cancelAll() }
                do {
                    try await backend.store(object)
                    return nil
                } catch let error as StorageError {
                    return error
                }
            }
        }
    }

    @Test(
        "Silence, half an answer and a cut connection are temporary errors that name the server",
        arguments: [
            (nil, true, "timed out"), ("HTTP/1.1 201 Crea", true, "timed out"),
            ("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nabc", true, "timed out"),
            ("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nabc", false, ""), ("HTTP/1.1 201 Crea", false, ""),
            ("", false, ""), ("garbage\r\n\r\n", false, ""),
            ("HTTP/1.1 100 Continue\r\n\r\n", true, "timed out"), ("HTTP/1.1 100 Continue\r\n\r\n", false, ""),
            ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 70_000), true, "more than 64 KiB"),
        ] as [(String?, Bool, String)])
    func answers(text: String?, staysOpen: Bool, message: String) async throws {
        let error = try #require(try await failure(answer: text, staysOpen: staysOpen))
        #expect(error.kind == .temporary(retryAfter: nil))
        #expect(error.message.contains(message), "\(error)")
        #expect(error.message.contains("http://127.0.0.1:"), "\(error)")
    }

    @Test("A whole answer is one, also when the connection ends with it")
    func wholeAnswer() async throws {
        #expect(try await failure(answer: "HTTP/1.1 204 No Content\r\n\r\n") == nil)
        #expect(try await failure(answer: "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", staysOpen: false) == nil)
    }

    @Test("Cancelling an upload that hangs returns at once")
    func cancellation() async throws {
        try await EventLoop.run(time: .real) { [object] loop in
            let server = try ListeningSocket()
            let backend = try HTTPBackend(name: "nas", url: server.url, loop: loop)
            var times: [Duration] = []
            for _ in 0..<5 {
                let outcome = Protected<(any Error)?>(nil)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        do { try await backend.store(object) } catch { outcome.withLock { $0 = error } }
                    }
                    // The request is on its way, and nobody will ever answer it.
                    let connection = try await server.accept(on: loop)
                    let start = loop.now
                    group.cancelAll()
                    try await group.waitForAll()
                    times.append(loop.now - start)
                    connection.close()
                }
                #expect(outcome.withLock { $0 is CancellationError })
            }
            // libcurl looks up by itself after 200 ms, which must not be what ends it. The quickest of five is
            // compared, so that a busy machine does not matter.
            #expect(times.min() ?? .seconds(1) < .milliseconds(50), "\(times)")
        }
    }

    @Test("A body is sent again, from its beginning, when a kept connection ends in the middle of it")
    func rewind() async throws {
        try await EventLoop.run(time: .real) { [object] loop in
            let server = try ListeningSocket()
            let backend = try HTTPBackend(
                name: "nas", url: server.url,
                connection: ConnectionSettings(deadlines: TransferDeadlines(total: .seconds(5))), loop: loop)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await backend.store(object)
                    try await backend.store(object)
                }
                let request = "\r\n\r\n\u{1}\u{2}\u{3}"
                let kept = try await server.accept(on: loop)
                try await kept.receive(until: request, on: loop)
                try kept.send("HTTP/1.1 204 No Content\r\n\r\n")
                try await loop.wait(for: kept.open())
                try await kept.receive(until: request, on: loop)
                kept.close()
                let fresh = try await server.accept(on: loop)
                try await fresh.receive(until: request, on: loop)
                try fresh.send("HTTP/1.1 204 No Content\r\n\r\n")
                try await group.waitForAll()
            }
        }
    }

    @Test("A small body is sent without asking first: a server that ignores the question would cost a second")
    func noQuestion() async throws {
        try await EventLoop.run(time: .real) { [object] loop in
            let server = try ListeningSocket()
            let backend = try HTTPBackend(name: "nas", url: server.url, loop: loop)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await backend.store(object) }
                let connection = try await server.accept(on: loop)
                #expect(!(try connection.receive().lowercased().contains("expect:")))
                try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                try await group.waitForAll()
            }
        }
    }

    @Test("An upload that is cancelled before it begins sends nothing, and the next one works")
    func earlyCancellation() async throws {
        try await EventLoop.run(time: .real) { [object] loop in
            let nginx = try Nginx()
            let backend = try HTTPBackend(name: "nas", url: nginx.url, loop: loop)
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask { await #expect(throws: CancellationError.self) { try await backend.store(object) } }
            }
            try await backend.store(StoredObject(name: "2.json", mediaType: "text/plain", body: .bytes([])))
            nginx.stop()
            #expect(try nginx.requests().count == 1)
        }
    }

    @Test("A connection on which nothing moves is given up long before the whole transfer's deadline")
    func stall() async throws {
        try await EventLoop.run(time: .real) { [object] loop in
            let server = try ListeningSocket()
            let deadlines = TransferDeadlines(stall: .seconds(1), total: .seconds(3600))
            let backend = try HTTPBackend(
                name: "nas", url: server.url, connection: ConnectionSettings(deadlines: deadlines), loop: loop)
            let error = try #require(try await StorageTests.failure(backend, object))
            #expect(error.kind == .temporary(retryAfter: nil))
            #expect(error.message.contains("too slow"), "\(error)")
        }
    }
}
