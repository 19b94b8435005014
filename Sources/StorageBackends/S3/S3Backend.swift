public import CaptureStore
public import DeviceRuntime

/// Stores objects in a bucket of an S3 server: AWS, MinIO, Ceph, Garage, R2, and others.
public final class S3Backend: ObjectStorage {
    public let name: String
    public let destination: String
    let client: S3Client

    /// Throws ``StorageError`` when the settings have no address, and `SystemError` when the system is out of
    /// resources.
    public init(
        name: String, _ settings: S3Settings, keys: AccessKeys, connection: ConnectionSettings = ConnectionSettings(),
        wallClock: WallClock? = nil, loop: EventLoop
    ) throws {
        self.name = name
        let signer = try S3Signer(settings, keys)
        destination = signer.bucketURL + settings.prefix
        client = S3Client(
            signer, transport: try HTTPTransport(named: name, connection, loop: loop),
            wallClock: wallClock ?? .system(on: loop))
    }

    public func store(_ object: StoredObject) async throws {
        let body = HTTPBody(object.body)
        let hashes = try await client.transport.hashes(of: body)
        // Below two parts, one request is less than the three or more of an upload in parts.
        guard hashes.size < 2 * client.settings.partSize else {
            return try await S3PartedUpload(client: client, object: object, hashes: hashes).run()
        }
        try await S3SingleUpload(client: client, object: object, hashes: hashes).run()
    }
}
