import DeviceRuntime
import TestSupport

@testable import CaptureStore

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

/// A backend that takes so many records at once, and answers as it is told.
final class BatchBackend: StorageBackend {
    typealias Answer = @Sendable (_ records: [StoredRecord], _ tries: Int) async throws -> Void

    let name: String
    let destination = "a test"
    let batchLimit: Int
    private let answer: Answer
    private let batches = Protected<[[StoredRecord]]>([])
    private let tried = Protected(0)

    init(_ name: String = "test", batchLimit: Int, answer: @escaping Answer = { _, _ in }) {
        self.name = name
        self.batchLimit = batchLimit
        self.answer = answer
    }

    func store(_ records: [StoredRecord]) async throws {
        let tries = tried.withLock { tried in
            tried += 1
            return tried
        }
        try await answer(records, tries)
        batches.withLock { $0.append(records) }
    }

    /// What was stored, in order.
    var stored: [[StoredRecord]] { batches.withLock { $0 } }
    var tries: Int { tried.withLock { $0 } }
}

/// What a test works with: an outbox that runs, on a loop in virtual time, with uploaders to `backends`.
struct Bench: Sendable {
    let loop: EventLoop
    let outbox: Outbox
    let uploads: Uploads
    let log: RecordingLogSink
    /// Right from the start, unless a test says otherwise.
    let clock: SettableClock

    static let start = WallTime(sinceEpoch: .seconds(1_800_000_000))

    static func run<Value: Sendable>(
        in directory: TemporaryDirectory, for names: [String] = ["test"], backends: [any StorageBackend] = [],
        settings: OutboxSettings = OutboxSettings(), limits: UploadLimits = UploadLimits(), identity: String? = "1dea",
        boot: String = "b007", isClockRight: Bool = true, body: @escaping @Sendable (Bench) async throws -> Value
    ) async throws -> Value {
        try await EventLoop.run(time: .virtual) { loop in
            let log = RecordingLogSink()
            let logger = Logger(log)
            let clock = SettableClock(at: start, isRight: isClockRight, with: loop)
            let outbox = try Outbox(
                directory: directory.path, device: "porch", backends: backends.isEmpty ? names : backends.map(\.name),
                settings: settings, loop: loop, wallClock: clock.wallClock, logger: logger, identity: identity,
                boot: boot)
            let uploads = Uploads(
                backends.map { Uploader(to: $0, from: outbox, limits: limits, loop: loop, logger: logger) })
            let result = Protected<Value?>(nil)
            try await ServiceGroup([outbox, uploads], logger: logger).run {
                let value = try await body(Bench(loop: loop, outbox: outbox, uploads: uploads, log: log, clock: clock))
                result.withLock { $0 = value }
            }
            guard let value = result.withLock({ $0 }) else { throw CancellationError() }
            return value
        }
    }

    /// Tells the outbox that a backend has everything up to a record.
    func settle(_ id: RecordID, backend: String = "test") async throws {
        await outbox.settle(Settlement(backend: backend, cursor: id.sequence))
        try await outbox.sync()
    }

    /// Tells the outbox that a backend has not got a record; the cursor passes it.
    func note(
        _ id: RecordID, backend: String = "test", attempts: Int, _ error: String, isRejected: Bool = false
    ) async throws {
        var settlement = Settlement(backend: backend, cursor: id.sequence)
        settlement.notes = [
            Settlement.Note(
                sequence: id.sequence, content: .everything, attempts: attempts, error: error, isRejected: isRejected)
        ]
        await outbox.settle(settlement)
        try await outbox.sync()
    }

    /// The outbox's disk, which is open.
    var storage: OutboxStorage {
        get async throws {
            guard let storage = await outbox.storage else { throw CancellationError() }
            return storage
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
