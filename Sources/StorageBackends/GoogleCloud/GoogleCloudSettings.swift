/// Where objects go in Google Cloud Storage, and how.
public struct GoogleCloudSettings: Sendable {
    public var bucket: String
    /// What comes before each name: empty, or ends with a slash.
    public var prefix = ""
    /// The service; another one than Google's in tests.
    public var endpoint = "https://storage.googleapis.com"
    /// Larger files are sent in chunks of this size, in bytes, a multiple of 256 KiB.
    public var chunkSize = 8 << 20
    /// A file in which the upload that is under way is noted, so that it goes on after a restart; `nil` for none.
    public var resumeFile: String?

    public init(bucket: String) { self.bucket = bucket }
}
