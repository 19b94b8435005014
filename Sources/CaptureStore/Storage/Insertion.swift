internal import DeviceRuntime

/// A capture on its way into the outbox.
struct Insertion: Sendable {
    let capture: Capture
    /// Nanoseconds since boot.
    let monotonic: Int64
    /// By the clock as it stood.
    let time: WallTime
    let isClockRight: Bool
    /// Given at the first try to write it: a later one must not give the number to another record.
    var sequence: Int64?
    /// The file once it is in the spool: a later try must not look for it in its old place.
    var payload: Record.Payload?
    let whenDone: (@Sendable (Result<RecordID, OutboxError>) -> Void)?
}

/// Why the outbox cannot do what was asked.
public struct OutboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed, naming the directory or the record.
    public let message: String
    /// What to do about it.
    public let advice: String?
    /// It is about the state of the disk, and may pass.
    let isPassing: Bool

    init(_ message: String, advice: String? = nil, isPassing: Bool = false) {
        self.message = message
        self.advice = advice
        self.isPassing = isPassing
    }

    public var description: String { message + (advice.map { "; \($0)" } ?? "") }
}
