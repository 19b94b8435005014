import CaptureStore
import DeviceRuntime
import TestSupport

/// A backend that keeps what it gets, in order, and answers as it is told.
final class RecordingBackend: ObjectStorage {
    typealias Answer = @Sendable (_ object: StoredObject, _ tries: Int) async throws -> Void

    private struct State {
        var names: [String] = []
        var tries = 0
        var awaited: (count: Int, waiter: Waiter)?
    }

    let name: String
    let destination = "a test"
    private let answer: Answer
    private let state = Protected(State())

    init(_ name: String = "test", answer: @escaping Answer = { _, _ in }) {
        self.name = name
        self.answer = answer
    }

    func store(_ object: StoredObject) async throws {
        let tries = state.withLock { state in
            state.tries += 1
            return state.tries
        }
        try await answer(object, tries)
        state.withLock { state in
            state.names.append(object.name)
            if let awaited = state.awaited, state.names.count >= awaited.count { awaited.waiter.finish() }
        }
    }

    /// The names of the objects that were stored, in order.
    var names: [String] { state.withLock { $0.names } }
    var tries: Int { state.withLock { $0.tries } }

    /// Returns when so many objects were stored.
    func waitForObjects(_ count: Int) async throws {
        let waiter = Waiter()
        state.withLock { state in
            state.awaited = (count, waiter)
            if state.names.count >= count { waiter.finish() }
        }
        try await waiter.wait()
    }
}

/// What a test works with: an outbox that runs, on a loop in virtual time, with uploaders to `backends`.
struct Bench: Sendable {
    let loop: EventLoop
    let outbox: Outbox
    let log: RecordingLogSink

    static func run<Value: Sendable>(
        in directory: TemporaryDirectory, for names: [String] = ["test"], backends: [RecordingBackend] = [],
        identity: String? = "1dea", body: @escaping @Sendable (Bench) async throws -> Value
    ) async throws -> Value {
        try await EventLoop.run(time: .virtual) { loop in
            let log = RecordingLogSink()
            let logger = Logger(log)
            let outbox = try Outbox(
                directory: directory.path, device: "porch", backends: backends.isEmpty ? names : backends.map(\.name),
                loop: loop, wallClock: .starting(at: WallTime(sinceEpoch: .seconds(1_800_000_000)), with: loop),
                logger: logger, identity: identity, boot: "b007")
            let uploaders = backends.map { Uploader(to: $0, from: outbox, loop: loop, logger: logger) }
            let result = Protected<Value?>(nil)
            try await ServiceGroup([outbox] + uploaders, logger: logger).run {
                let value = try await body(Bench(loop: loop, outbox: outbox, log: log))
                result.withLock { $0 = value }
            }
            guard let value = result.withLock({ $0 }) else { throw CancellationError() }
            return value
        }
    }

    /// A press of the bell, now.
    func press(_ count: Int = 0, payload: Capture.Payload? = nil) -> Capture {
        Capture(
            part: "bell", event: "pressed", timestamp: loop.now, fields: [.init("count", .integer(count))],
            payload: payload)
    }

    /// A picture, as a camera writes it.
    func picture(_ content: [UInt8] = [1, 2, 3]) throws -> Capture.Payload {
        let path = outbox.makePayloadPath()
        try write(content, to: path)
        return Capture.Payload(path: path, mediaType: "image/png")
    }

    /// The messages of the log at or above a level.
    func messages(_ level: LogEntry.Level) -> [String] { log.entries.filter { $0.level >= level }.map(\.message) }
}

/// The records in a directory's outbox.
func entries(_ directory: TemporaryDirectory) throws -> [OutboxReader.Entry] {
    var entries: [OutboxReader.Entry] = []
    try OutboxReader(directory: directory.path).forEachEntry { entries.append($0) }
    return entries
}
