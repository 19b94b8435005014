public import CaptureStore
public import DeviceRuntime

/// Stores objects in a bucket of Google Cloud Storage.
public final class GoogleCloudBackend: ObjectStorage {
    public let name: String
    public let destination: String
    private let client: GoogleCloudClient

    /// What a token is asked for: objects, and nothing else of the project.
    static let scope = "https://www.googleapis.com/auth/devstorage.read_write"

    /// Without an account nothing says who asks: for servers of tests.
    ///
    /// Throws ``StorageError`` when the settings have no address, and `SystemError` when the system is out of resources.
    public init(
        name: String, _ settings: GoogleCloudSettings, account: ServiceAccount?,
        connection: ConnectionSettings = ConnectionSettings(), wallClock: WallClock? = nil, loop: EventLoop
    ) throws {
        self.name = name
        client = try GoogleCloudClient(
            settings, account, scopes: [Self.scope],
            transport: try HTTPTransport(named: name, connection, loop: loop),
            wallClock: wallClock ?? .system(on: loop), loop: loop)
        destination = "\(client.endpoint)\(settings.bucket)/\(settings.prefix)"
    }

    public func store(_ object: StoredObject) async throws {
        let body = HTTPBody(object.body)
        let hashes = try await client.transport.hashes(of: body, withCRC32C: true)
        try await GoogleUpload(client: client, object: object, hashes: hashes, metadata: [:]).run()
    }
}
