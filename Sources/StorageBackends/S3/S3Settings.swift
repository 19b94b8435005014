internal import CaptureStore

/// Where objects go in an S3 server, and how.
public struct S3Settings: Sendable {
    /// How a bucket is named in an address.
    public enum Addressing: String, Sendable, CaseIterable {
        /// In the server's name on AWS, which has stopped to make path-style addresses for new buckets, and in the path
        /// elsewhere.
        case automatic
        /// `https://server/bucket/name`
        case path
        /// `https://bucket.server/name`
        case virtualHost = "virtual-host"
    }

    /// `https://minio.local:9000`; `nil` for AWS in the region.
    public var endpoint: String?
    public var bucket: String
    /// What comes before each name: empty, or ends with a slash.
    public var prefix = ""
    public var region: String
    public var addressing: Addressing
    /// `STANDARD_IA`; `nil` for the bucket's own.
    public var storageClass: String?
    /// Larger files are sent in parts of this size, in bytes, at least 5 MiB.
    public var partSize = 8 << 20

    public init(endpoint: String?, bucket: String, region: String, addressing: Addressing = .automatic) {
        self.endpoint = endpoint
        self.bucket = bucket
        self.region = region
        self.addressing = addressing
    }

    /// The bucket's address with a slash at its end, to which names are added.
    ///
    /// Throws ``StorageError`` when the endpoint is not an address, or the bucket's name cannot be part of one.
    func bucketURL() throws -> String {
        let server = try ServerURL.checked(endpoint ?? "https://s3.\(region).amazonaws.com")
        guard !bucket.isEmpty, bucket.utf8.allSatisfy(Self.isOfBucketName) else {
            throw StorageError(
                .permanent, "the bucket's name is not one", advice: "it has letters, digits, dots, - and _")
        }
        switch addressing {
        case .automatic where endpoint != nil, .path: return server + bucket + "/"
        case .automatic, .virtualHost:
            guard let scheme = server.firstRange(of: "://") else { return server }
            return server[..<scheme.upperBound] + bucket + "." + server[scheme.upperBound...]
        }
    }

    private static func isOfBucketName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
