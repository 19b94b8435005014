public import CaptureStore
public import DeviceRuntime

/// Stores each object with a PUT to a base address plus its name: nginx and Apache with WebDAV, Nextcloud, and
/// whatever else takes PUT.
public final class HTTPBackend: ObjectStorage {
    public let name: String
    public let destination: String
    private let credentials: HTTPCredentials?
    private let transport: HTTPTransport

    /// `url` is the address of a folder, with or without the slash at its end: `https://nas.local/porch`.
    ///
    /// `authorities` is a file of certificates (PEM) to trust instead of the system's. Throws ``StorageError``
    /// when `url` is not such an address, and `SystemError` when the system is out of resources.
    public init(
        name: String, url: String, credentials: HTTPCredentials? = nil, authorities: String? = nil,
        deadlines: TransferDeadlines = TransferDeadlines(), loop: EventLoop
    ) throws {
        self.name = name
        destination = try ServerURL.checked(url)
        self.credentials = credentials
        transport = try HTTPTransport(named: name, authorities: authorities, deadlines: deadlines, loop: loop)
    }

    public func store(_ object: StoredObject) async throws {
        let request = HTTPRequest(
            url: destination + ServerURL.encoded(object.name), body: object.body,
            headers: ["Content-Type: \(object.mediaType)"], credentials: credentials)
        let response = try await transport.send(request)
        if let error = HTTPVerdict.error(response, destination: destination) { throw error }
    }
}
