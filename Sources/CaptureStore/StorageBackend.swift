public import DeviceRuntime

/// A place where records are kept.
public protocol StorageBackend: Sendable {
    /// Its name in the configuration, by which the outbox remembers what it has got: `photos`.
    var name: String { get }

    /// Where that is, for messages: `https://nas.local/porch/`. Never holds a secret.
    var destination: String { get }

    /// How many records it takes at once, at most; 1 where each is stored by itself.
    var batchLimit: Int { get }

    /// Whether a record's file is stored by itself, after its document. Documents then go before files across the whole
    /// backlog, and ``store(_:)`` gets records with one of the two among their objects; it is called for a document
    /// while a file is on its way.
    var takesFilesApart: Bool { get }

    /// Stores the records, at least one and at most ``batchLimit``, and returns once they are there to stay. Storing
    /// the same ones again changes nothing.
    ///
    /// Throws ``StorageError``, and `CancellationError` at once when the task is cancelled. Some of the records may
    /// be there nevertheless: they come again.
    func store(_ records: [StoredRecord]) async throws

    /// What is there under an object's name; `nil` for a backend that cannot tell.
    ///
    /// Throws ``StorageError``, and `CancellationError` at once when the task is cancelled.
    func lookUp(_ name: String) async throws -> StoredPresence?
}

/// What a backend has under a name.
public enum StoredPresence: Sendable, Hashable {
    case absent
    /// The size in bytes, as far as the backend tells.
    case present(size: Int?)
}

extension StorageBackend {
    public var takesFilesApart: Bool { false }

    public func lookUp(_ name: String) async throws -> StoredPresence? { nil }
}

/// A backend that keeps objects under names: a document for each record, and the file that belongs to it.
public protocol ObjectStorage: StorageBackend {
    /// Stores the object under its name and returns once it is there to stay. Storing the same object again
    /// changes nothing.
    ///
    /// Throws ``StorageError``, and `CancellationError` at once when the task is cancelled.
    func store(_ object: StoredObject) async throws
}

extension ObjectStorage {
    public var batchLimit: Int { 1 }
    public var takesFilesApart: Bool { true }

    public func store(_ records: [StoredRecord]) async throws {
        for record in records {
            for object in record.objects { try await store(object) }
        }
    }
}

/// A record as a backend gets it: in parts for one that has words of its own for them, as objects for the others.
public struct StoredRecord: Sendable, Hashable {
    /// Names it for ever: whoever has seen this identifier has the record.
    public let id: RecordID
    /// The part that it came from, by its name in the configuration: `bell`.
    public let part: String
    /// `pressed`
    public let event: String
    /// When it happened. The same at every try.
    public let time: WallTime
    /// In order of their names.
    public let fields: [Capture.Field]
    /// The whole record as a JSON object: the same bytes at every try.
    public let document: String
    /// The document, and the file that belongs to the record, in the order in which to store them; or one of the two.
    public let objects: [StoredObject]

    public init(
        id: RecordID, part: String, event: String, time: WallTime, fields: [Capture.Field], document: String,
        objects: [StoredObject]
    ) {
        self.id = id
        self.part = part
        self.event = event
        self.time = time
        self.fields = fields
        self.document = document
        self.objects = objects
    }
}

/// An object for a backend: a name, a media type and content.
public struct StoredObject: Sendable, Hashable {
    public enum Body: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, and how many bytes it has.
        case file(path: String, size: Int)
    }

    /// Segments separated by slashes: `porch/3fa2c81b/00000042-bell.pressed.json`.
    public var name: String
    /// `application/json`
    public var mediaType: String
    public var body: Body

    public init(name: String, mediaType: String, body: Body) {
        self.name = name
        self.mediaType = mediaType
        self.body = body
    }

    /// In bytes.
    public var size: Int {
        switch body {
        case .bytes(let bytes): bytes.count
        case .file(_, let size): size
        }
    }
}

/// Why an object was not stored.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// Trying again may work: not before `retryAfter`, if given.
        case temporary(retryAfter: Duration?)
        /// This object will never be taken; others may.
        case permanent
    }

    public var kind: Kind
    /// What failed, naming the server and its answer.
    public var message: String
    /// What to do about it.
    public var advice: String?

    public init(_ kind: Kind, _ message: String, advice: String? = nil) {
        self.kind = kind
        self.message = message
        self.advice = advice
    }

    public var description: String { message + (advice.map { "; \($0)" } ?? "") }
}
