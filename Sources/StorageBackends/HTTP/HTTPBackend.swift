public import CaptureStore
public import DeviceRuntime

/// Stores each object with a PUT to a base address plus its name: nginx, Apache, and whatever else takes PUT and makes
/// folders by itself.
public final class HTTPBackend: ObjectStorage {
    public let name: String
    public let destination: String
    private let credentials: HTTPCredentials?
    private let transport: HTTPTransport

    /// `url` is the address of a folder, with or without the slash at its end: `https://nas.local/porch`.
    ///
    /// Throws ``StorageError`` when `url` is not such an address, and `SystemError` when the system is out of
    /// resources.
    public init(
        name: String, url: String, credentials: HTTPCredentials? = nil,
        connection: ConnectionSettings = ConnectionSettings(), loop: EventLoop
    ) throws {
        self.name = name
        destination = try ServerURL.checked(url)
        self.credentials = credentials
        transport = try HTTPTransport(named: name, connection, loop: loop)
    }

    public func store(_ object: StoredObject) async throws {
        let request = HTTPRequest(
            .put, destination + ServerURL.encoded(object.name), body: HTTPBody(object.body),
            headers: ["Content-Type: \(object.mediaType)"], credentials: credentials)
        let response = try await transport.send(request)
        if let error = HTTPVerdict.error(response, destination: destination) { throw error }
    }
}
