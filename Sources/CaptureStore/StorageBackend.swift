/// A place where objects are kept.
public protocol StorageBackend: Sendable {
    /// Its name in the configuration, by which the outbox remembers what it has got: `photos`.
    var name: String { get }

    /// Where that is, for messages: `https://nas.local/porch/`. Never holds a secret.
    var destination: String { get }

    /// Stores the object under its name and returns once it is there to stay. Storing the same object again
    /// changes nothing.
    ///
    /// Throws ``StorageError``, and `CancellationError` at once when the task is cancelled.
    func store(_ object: StoredObject) async throws
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
