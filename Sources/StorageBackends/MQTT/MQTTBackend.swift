public import CaptureStore
public import DeviceRuntime

/// Publishes each record on the topic of its event, and its file, if that is small, beside it.
///
/// A record is stored when the broker has confirmed it (QoS 1). What a broker that is killed makes of what it has
/// confirmed is its own affair: docs/storage.md.
public final class MQTTBackend: StorageBackend, Service {
    /// How records become messages.
    public struct Options: Sendable {
        /// What every topic begins with: `perch`.
        public var prefix: String
        /// After how long nobody needs a record any more that the broker could not hand out; `nil` for never. MQTT 5.
        public var expiry: Duration?
        /// In bytes. A file that has more is left to another storage.
        public var largestFile: Int
        /// Whether a record that the broker confirms but nobody has subscribed to waits in the outbox. MQTT 5.
        public var needsListener: Bool

        public init(
            prefix: String = "perch", expiry: Duration? = nil, largestFile: Int = 256 * 1024,
            needsListener: Bool = false
        ) {
            self.prefix = prefix
            self.expiry = expiry
            self.largestFile = largestFile
            self.needsListener = needsListener
        }
    }

    public let name: String
    public let destination: String
    /// As many as mosquitto takes unconfirmed; a broker that takes fewer says so, and libmosquitto keeps to it.
    public let batchLimit = 20
    private let options: Options
    private let topics: MQTTTopics
    private let connection: MQTTConnection
    private let companion: (any MQTTCompanion)?
    private let files: BlockingThread
    private let logger: Logger
    private let backoff: Backoff
    private let notes = Protected(Notes())

    /// What has been told once.
    private struct Notes {
        var hasUnheard = false
        var hasLargeFile = false
    }

    /// `device` is the board's name; `companion` shares the connection. Throws `SystemError` when the system is out of resources.
    public init(
        name: String, device: String, settings: MQTTSettings, options: Options = Options(),
        companion: (any MQTTCompanion)? = nil, loop: EventLoop, logger: Logger, backoff: Backoff = Backoff()
    ) throws {
        self.name = name
        self.options = options
        self.logger = logger
        self.backoff = backoff
        let topics = MQTTTopics(prefix: options.prefix, device: device)
        self.topics = topics
        destination = settings.broker.description
        let presence = MQTTConnection.Presence(
            here: MQTTMessage(topics.availability, "online", isRetained: true),
            gone: MQTTMessage(topics.availability, "offline", isRetained: true))
        self.companion = companion
        connection = try MQTTConnection(
            settings, name: name, presence: presence, companion: companion, loop: loop, logger: logger)
        files = try BlockingThread(named: name, loop: loop)
    }

    /// Keeps the connection until the task is cancelled. Nothing can be stored before.
    public func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let companion {
                group.addTask { [connection] in try await companion.run { connection.post($0) } }
            }
            defer { group.cancelAll() }
            try await connection.run(backoff)
        }
    }

    public func store(_ records: [StoredRecord]) async throws {
        // Small first: all events at once, then each picture by itself.
        let documents = records.flatMap { record in record.objects.compactMap { message($0, of: record) } }
        try check(try await connection.send(documents))
        for record in records {
            for object in record.objects {
                guard let message = try await fileMessage(object, of: record) else { continue }
                try check(try await connection.send([message]))
            }
        }
    }

    private func message(_ object: StoredObject, of record: StoredRecord) -> MQTTMessage? {
        guard case .bytes(let document) = object.body else { return nil }
        return MQTTMessage(
            topics.event(record.part, record.event), document, contentType: object.mediaType,
            recordID: record.id.description, expiry: options.expiry)
    }

    /// The message with an object's file; `nil` for a document, and for a file that is too large. Retained: whoever
    /// comes later sees the last picture.
    private func fileMessage(_ object: StoredObject, of record: StoredRecord) async throws -> MQTTMessage? {
        guard case .file(let path, let size) = object.body else { return nil }
        guard size <= options.largestFile else {
            noteLargeFile(size, of: record)
            return nil
        }
        let content: [UInt8]
        do {
            content = try await files.run { try Files.read(path) }
        } catch {
            throw StorageError(.temporary(retryAfter: nil), "cannot read the file to send: \(error)")
        }
        return MQTTMessage(
            topics.payload(record.part, record.event), content, isRetained: true, contentType: object.mediaType,
            recordID: record.id.description)
    }

    /// Throws what keeps messages from being stored: first what may pass, since the others come again with it.
    private func check(_ answers: [(message: MQTTMessage, outcome: MQTTOutcome)]) throws {
        var rejection: StorageError?
        for (message, outcome) in answers {
            switch outcome {
            case .done: break
            // A picture is kept for whoever comes.
            case .unheard: if !message.isRetained { try noteUnheard(message.topic) }
            case .failed(let error):
                guard error.kind == .permanent else { throw error }
                rejection = rejection ?? error
            }
        }
        if let rejection { throw rejection }
    }

    private func noteUnheard(_ topic: String) throws {
        guard !options.needsListener else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(destination): nobody has subscribed to \(topic)",
                advice: "start the program that is to have the records, or set subscriber: optional")
        }
        let isFirst = notes.withLock { notes in
            defer { notes.hasUnheard = true }
            return !notes.hasUnheard
        }
        guard isFirst else { return }
        logger.warning(
            "the broker discards records: nobody has subscribed to them",
            ["storage": name, "topic": topic, "to keep them until somebody has": "subscriber: required"])
    }

    private func noteLargeFile(_ size: Int, of record: StoredRecord) {
        let isFirst = notes.withLock { notes in
            defer { notes.hasLargeFile = true }
            return !notes.hasLargeFile
        }
        guard isFirst else { return }
        logger.notice(
            "files that are too large are not sent to the broker",
            ["storage": name, "record": record.id.description, "bytes": "\(size)", "limit": "\(options.largestFile)"])
    }
}
