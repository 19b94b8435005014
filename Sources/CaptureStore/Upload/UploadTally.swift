/// What has come of bringing records to a backend.
public struct UploadTally: Sendable, Hashable {
    /// Documents and files that the backend has confirmed.
    public var objects = 0
    /// Of those objects.
    public var bytes = 0
    /// Tries that brought an error.
    public var failures = 0
    /// When something was last confirmed, as time since boot; `nil` if nothing was.
    public var lastSuccess: Duration?

    public init() {}

    mutating func note(_ records: [StoredRecord], now: Duration) {
        for record in records {
            objects += record.objects.count
            bytes += record.objects.reduce(0) { $0 + $1.size }
        }
        lastSuccess = now
    }
}
