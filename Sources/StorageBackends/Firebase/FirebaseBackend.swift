public import CaptureStore
public import DeviceRuntime

/// Keeps records the way Firebase's apps expect them: the event as an entry of the Realtime Database, its file in
/// Firebase Storage, and in the entry the address from which the file can be had.
public final class FirebaseBackend: StorageBackend {
    public let name: String
    public let destination: String
    private let client: GoogleCloudClient
    private let database: String
    private let account: ServiceAccount

    public var batchLimit: Int { 1 }
    public var takesFilesApart: Bool { true }

    private static let scopes = [
        GoogleCloudBackend.scope, "https://www.googleapis.com/auth/firebase.database",
        "https://www.googleapis.com/auth/userinfo.email",
    ]

    /// `database` is the address of a place in the Realtime Database:
    /// `https://porch-default-rtdb.europe-west1.firebasedatabase.app/events`.
    ///
    /// Throws ``StorageError`` when it or the settings' endpoint is not an address, and `SystemError` when the system is
    /// out of resources.
    public init(
        name: String, database: String, _ settings: GoogleCloudSettings, account: ServiceAccount,
        connection: ConnectionSettings = ConnectionSettings(), wallClock: WallClock? = nil, loop: EventLoop
    ) throws {
        self.name = name
        self.account = account
        self.database = try ServerURL.checked(database)
        destination = self.database
        client = try GoogleCloudClient(
            settings, account, scopes: Self.scopes,
            transport: try HTTPTransport(named: name, connection, loop: loop),
            wallClock: wallClock ?? .system(on: loop), loop: loop)
    }

    public func store(_ records: [StoredRecord]) async throws {
        for record in records {
            // The event first: it is small, and says where its file will be.
            for object in record.objects {
                if object.body.isFile {
                    try await store(object)
                } else {
                    try await put(FirebaseEntry(record, downloadURL: downloadURL))
                }
            }
        }
    }

    private func put(_ entry: FirebaseEntry) async throws {
        let response = try await client.send(
            .put, "\(database)\(ServerURL.encoded(entry.path)).json?print=silent", body: HTTPBody(entry.document),
            headers: ["Content-Type: application/json"])
        let message = JSONDocument(response.body)?.text("error")
        if var error = HTTPVerdict.error(
            response, destination: database, success: [200, 204], explanation: message)
        {
            if [401, 403].contains(response.status) {
                error.advice = "give the service account the role Firebase Realtime Database Admin"
            }
            throw error
        }
    }

    private func store(_ file: StoredObject) async throws {
        let body = HTTPBody(file.body)
        let hashes = try await client.transport.hashes(of: body, withCRC32C: true)
        try await GoogleUpload(
            client: client, object: file, hashes: hashes,
            metadata: ["firebaseStorageDownloadTokens": account.word(for: file.name)]
        ).run()
    }

    /// Where a file can be had by who has the address. Known before the file is there: the same at every try.
    private func downloadURL(_ file: String) -> String {
        "https://firebasestorage.googleapis.com/v0/b/\(ServerURL.encodedWord(client.settings.bucket))/o/"
            + "\(ServerURL.encodedWord(client.key(file)))?alt=media&token=\(account.word(for: file))"
    }
}

extension StoredObject.Body {
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }
}
