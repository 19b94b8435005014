/// A capture on its way into the outbox.
struct Insertion: Sendable {
    let capture: Capture
    /// Nanoseconds since boot.
    let monotonic: Int64
    let boot: String
    let time: String
    /// The file once it is in the spool: a later try must not look for it in its old place.
    var payload: Record.Payload?
    let whenDone: (@Sendable (Result<RecordID, OutboxError>) -> Void)?
}

/// What came of an attempt to give a record to a backend.
struct Settlement: Sendable {
    enum Outcome: Sendable {
        case stored
        /// Kept and listed, not tried again.
        case rejected(String)
        case failed(String)
    }

    let sequence: Int64
    let backend: String
    let outcome: Outcome
}

/// Why the outbox cannot do what was asked.
public struct OutboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed, naming the directory or the record.
    public let message: String
    /// What to do about it.
    public let advice: String?

    init(_ message: String, advice: String? = nil) {
        self.message = message
        self.advice = advice
    }

    public var description: String { message + (advice.map { "; \($0)" } ?? "") }
}
