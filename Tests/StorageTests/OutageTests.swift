import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

/// Stops the server after every hundredth object, and starts it again after every fifth failure.
private final class OutageBackend: ObjectStorage {
    private let backend: HTTPBackend
    private let nginx: Nginx
    private let stored: Protected<Set<String>>
    private let failures = Protected(0)
    private let awaited = Protected<(count: Int, waiter: Waiter)?>(nil)

    init(_ backend: HTTPBackend, _ nginx: Nginx, stored: Protected<Set<String>>) {
        self.backend = backend
        self.nginx = nginx
        self.stored = stored
    }

    /// Returns when so many objects were stored, counted by name and over all runs.
    func waitForObjects(_ count: Int) async throws {
        let waiter = Waiter()
        awaited.withLock { $0 = (count, waiter) }
        if stored.withLock({ $0.count >= count }) { waiter.finish() }
        try await waiter.wait()
    }

    var name: String { backend.name }
    var destination: String { backend.destination }

    func store(_ object: StoredObject) async throws {
        do {
            try await backend.store(object)
        } catch {
            let failures = failures.withLock { failures in
                failures += 1
                return failures
            }
            // A server that does not come back must end the test, not go on being started.
            if failures > 50 { awaited.withLock { $0?.waiter.finish(.failure(error)) } }
            if failures % 5 == 0 && failures <= 50 { try nginx.start() }
            throw error
        }
        let (isNew, count) = stored.withLock { stored in
            let isNew = stored.insert(object.name).inserted
            return (isNew, stored.count)
        }
        if isNew && count % 100 == 0 { nginx.stop() }
        awaited.withLock { if let awaited = $0, count >= awaited.count { awaited.waiter.finish() } }
    }
}

@Suite("Outbox, uploader and nginx", .boundedHang)
struct OutageTests {
    @Test("Records arrive exactly once by name, over the server's stops and starts and the daemon's")
    func outages() async throws {
        let nginx = try Nginx()
        let directory = try TemporaryDirectory()
        // Half of the records have a picture, so there are three objects to two records.
        let records = 240
        let log = RecordingLogSink()
        // The first run ends in the middle of the documents; the second finds the rest.
        let stored = Protected<Set<String>>([])
        for count in [151, 3 * records / 2] {
            try await EventLoop.run(time: .real) { loop in
                var settings = OutboxSettings()
                settings.clockPatience = .zero
                let outbox = try Outbox(
                    directory: directory.path, device: "porch", backends: ["nas"], settings: settings, loop: loop,
                    wallClock: .system(on: loop), logger: Logger(log), identity: "1dea")
                let http = try HTTPBackend(name: "nas", url: nginx.url, loop: loop)
                let backend = OutageBackend(http, nginx, stored: stored)
                let pauses: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(10))
                let uploader = Uploader(to: backend, from: outbox, pauses: pauses, loop: loop, logger: Logger(log))
                try await ServiceGroup([outbox, uploader], logger: Logger(log)).run {
                    if count == 151 {
                        for number in 0..<records { outbox.enqueue(try capture(number, outbox, loop)) }
                    }
                    try await backend.waitForObjects(count)
                }
            }
        }
        nginx.stop()
        var left = 0
        try OutboxReader(directory: directory.path).forEachEntry { _ in left += 1 }
        #expect(left == 0)
        #expect(try directory.files(in: "spool").isEmpty)

        let puts = try nginx.requests().map { $0.split(separator: " ") }.filter { $0[2] == "201" || $0[2] == "204" }
        let names = puts.map { String($0[1]) }
        #expect(Set(names).count == 3 * records / 2)
        let files = try nginx.directory.files(in: "root/porch/1dea")
        #expect(files.count == 3 * records / 2)
        for count in 0..<records {
            let number = String(String(100_000_000 + count + 1).dropFirst())
            let name = "porch/1dea/\(number)-bell.pressed"
            let document = String(decoding: try nginx.stored("\(name).json"), as: UTF8.self)
            #expect(document.contains("\"fields\":{\"count\":\(count)}"))
            if count % 2 == 0 { #expect(try nginx.stored("\(name).png") == Array(repeating: UInt8(count), count: 100)) }
        }
        // One line for an outage at most, whatever the number of tries.
        #expect(log.entries.filter { $0.level >= .warning }.count <= 2)
    }

    private func capture(_ count: Int, _ outbox: Outbox, _ loop: EventLoop) throws -> Capture {
        var capture = Capture(
            part: "bell", event: "pressed", timestamp: loop.now, fields: [.init("count", .integer(count))])
        if count % 2 == 0 {
            let path = outbox.makePayloadPath()
            try write(Array(repeating: UInt8(count), count: 100), to: path)
            capture.payload = Capture.Payload(path: path, mediaType: "image/png")
        }
        return capture
    }
}
