internal import CaptureStore
internal import DeviceRuntime

/// Sends requests to Google's storage with a token of the service account.
final class GoogleCloudClient: Sendable {
    let settings: GoogleCloudSettings
    let account: ServiceAccount?
    let transport: HTTPTransport
    let endpoint: String
    private let tokens: AccessTokens?

    /// Without an account nothing is sent that says who asks: for servers of tests.
    ///
    /// Throws ``StorageError`` when the endpoint is not an address.
    init(
        _ settings: GoogleCloudSettings, _ account: ServiceAccount?, scopes: [String], transport: HTTPTransport,
        wallClock: WallClock, loop: EventLoop
    ) throws {
        self.settings = settings
        self.account = account
        self.transport = transport
        endpoint = try ServerURL.checked(settings.endpoint)
        tokens = account.map {
            AccessTokens($0, scopes: scopes, transport: transport, wallClock: wallClock, loop: loop)
        }
    }

    func key(_ name: String) -> String { settings.prefix + name }

    /// The address of an object's description.
    func objectURL(_ key: String) -> String {
        "\(endpoint)storage/v1/b/\(ServerURL.encodedWord(settings.bucket))/o/\(ServerURL.encodedWord(key))"
    }

    /// The address that takes new objects, on condition that there is none with the name yet.
    func uploadURL(_ type: String) -> String {
        "\(endpoint)upload/storage/v1/b/\(ServerURL.encodedWord(settings.bucket))/o?uploadType=\(type)"
            + "&ifGenerationMatch=0"
    }

    /// Sends a request, and once more with a new token when the one it had is refused: it may have been withdrawn.
    func send(
        _ method: HTTPRequest.Method, _ url: String, body: HTTPBody? = nil, headers: [String] = []
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method, url, body: body, headers: headers)
        request.credentials = try await tokens?.credentials()
        let response = try await transport.send(request)
        guard response.status == 401, let tokens else { return response }
        tokens.forget()
        request.credentials = try await tokens.credentials()
        return try await transport.send(request)
    }

    /// What a refusal means; `nil` when the server has done what it was asked to.
    func error(_ response: HTTPResponse, success: Set<Int> = [200]) -> StorageError? {
        let message = JSONDocument(response.body)?.text("error", "message")
        var error = HTTPVerdict.error(
            response, destination: "\(endpoint)\(settings.bucket)", success: success, explanation: message)
        switch response.status {
        // What does not fit its hash, or is not what was put together here, was damaged on the way.
        case 400 where ["match", "Malformed"].contains { message?.contains($0) == true }:
            error?.kind = .temporary(retryAfter: nil)
            error?.advice = "it was damaged on its way and is sent again"
        case 403: error?.advice = "give the service account the role Storage Object User (or Creator and Viewer)"
        case 404: error?.advice = "make the bucket, or check its name"
        default: break
        }
        return error
    }
}
