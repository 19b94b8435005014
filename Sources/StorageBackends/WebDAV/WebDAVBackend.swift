public import CaptureStore
public import DeviceRuntime

/// Stores objects on a WebDAV server: Nextcloud, Apache, nginx, a NAS.
///
/// Some servers keep what was sent of an upload that broke off as if it were all. So an object is sent under another
/// name, compared, and only then given its own (RFC 4918, 9.9), if nothing has it yet.
public final class WebDAVBackend: ObjectStorage {
    public let name: String
    public let destination: String
    private let credentials: HTTPCredentials?
    private let transport: HTTPTransport

    /// `url` is the address of a folder that is there: `https://cloud.example/remote.php/dav/files/porch/Photos`.
    ///
    /// Throws ``StorageError`` when `url` is not such an address, and `SystemError` when the system is out of resources.
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
        let body = HTTPBody(object.body)
        let hashes = try await transport.hashes(of: body)
        let (folder, file) = Self.split(object.name)
        let (target, unfinished) = (folder + file, "\(folder).\(file).upload")
        // Its confirmation may have been lost. For a small one that comes out when it gets its name.
        if hashes.size > Self.largestReadBack, try await isStored(hashes, as: target) { return }
        try await upload(object, as: unfinished, folder: folder)
        guard try await isStored(hashes, as: unfinished) else {
            throw StorageError(
                .temporary(retryAfter: nil), "\(destination) has not kept \(unfinished) as it was sent",
                advice: "it is sent again; check that the server has room and does not change files")
        }
        try await move(unfinished, to: target, hashes)
    }

    private func upload(_ object: StoredObject, as path: String, folder: String) async throws {
        func put() async throws -> HTTPResponse {
            try await send(.put, path, body: HTTPBody(object.body), headers: ["Content-Type: \(object.mediaType)"])
        }
        var response = try await put()
        // A missing folder is 409, but on nginx 500.
        if [404, 409, 500].contains(response.status), try await makeFolders(folder) { response = try await put() }
        if let error = verdict(response) { throw error }
    }

    /// Makes the folders that are missing, and returns whether there were any.
    private func makeFolders(_ folder: String) async throws -> Bool {
        var path = ""
        var isAnyNew = false
        for segment in folder.split(separator: "/") {
            path += "\(segment)/"
            let response = try await send(.makeCollection, path)
            // 405 and, from some servers, 301: it is there.
            if [301, 405].contains(response.status) { continue }
            if var error = verdict(response) {
                if response.status == 404 || response.status == 409 { error.advice = "make the folder in url" }
                throw error
            }
            isAnyNew = true
        }
        return isAnyNew
    }

    private func move(_ unfinished: String, to target: String, _ hashes: ContentHashes) async throws {
        // The path alone: with https in it, a server behind a proxy that speaks TLS in its stead would refuse.
        let response = try await send(
            .move, unfinished, headers: ["Destination: \(ServerURL.path(address(target)))", "Overwrite: F"])
        switch response.status {
        case 404:
            // It was moved before, and the confirmation was lost.
            if try await isStored(hashes, as: target) { return }
            throw StorageError(.temporary(retryAfter: nil), "\(address(unfinished)) is gone before it got its name")
        case 412:
            guard try await isStored(hashes, as: target) else {
                throw StorageError(
                    .permanent, "\(address(target)) is already there with another content",
                    advice: "two devices may use copies of one outbox; give one of them a fresh one")
            }
            _ = try await send(.delete, unfinished)
        default:
            guard var error = verdict(response) else { return }
            if [405, 501].contains(response.status) {
                error.advice = "the server cannot rename; without that use backend: http"
            }
            throw error
        }
    }

    /// What is read back to be compared, in bytes; of larger objects the size is.
    private static let largestReadBack = 64 * 1024

    /// Whether a file is there with this content.
    private func isStored(_ hashes: ContentHashes, as path: String) async throws -> Bool {
        let readsBack = hashes.size <= Self.largestReadBack
        let response = try await send(readsBack ? .get : .head, path)
        if response.status == 404 { return false }
        // A file may well be a web page: only a success that is none of the file's is a portal's.
        guard response.status == 200 else {
            throw verdict(response)
                ?? StorageError(.temporary(retryAfter: nil), "\(address(path)) answers \(response.status)")
        }
        guard readsBack else { return response.contentLength == hashes.size }
        return try Digest.of(response.body, .sha256) == hashes.sha256
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, body: HTTPBody? = nil, headers: [String] = []
    ) async throws -> HTTPResponse {
        try await transport.send(
            HTTPRequest(method, address(path), body: body, headers: headers, credentials: credentials))
    }

    private func address(_ path: String) -> String { destination + ServerURL.encoded(path) }

    private func verdict(_ response: HTTPResponse) -> StorageError? {
        HTTPVerdict.error(response, destination: destination)
    }

    /// `porch/1dea/1.json` → `porch/1dea/` and `1.json`
    private static func split(_ name: String) -> (folder: String, file: String) {
        guard let slash = name.lastIndex(of: "/") else { return ("", name) }
        return (String(name[...slash]), String(name[name.index(after: slash)...]))
    }
}
