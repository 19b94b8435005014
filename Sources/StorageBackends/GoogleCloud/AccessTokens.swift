internal import CaptureStore
internal import DeviceRuntime

/// Gets access tokens for a service account, and keeps one for as long as it is good.
final class AccessTokens: Sendable {
    private struct Token {
        let credentials: HTTPCredentials
        /// As time since boot: the calendar may jump.
        let end: Duration
    }

    private let account: ServiceAccount
    private let scopes: [String]
    private let transport: HTTPTransport
    private let loop: EventLoop
    private let clock: Protected<ServerClock>
    private let token = Protected<Token?>(nil)

    init(_ account: ServiceAccount, scopes: [String], transport: HTTPTransport, wallClock: WallClock, loop: EventLoop) {
        self.account = account
        self.scopes = scopes
        self.transport = transport
        self.loop = loop
        clock = Protected(ServerClock(wallClock))
    }

    /// Renewed this long before its end, so that it does not end while something large is on its way.
    private static let margin = Duration.seconds(300)

    func credentials() async throws -> HTTPCredentials {
        let now = loop.now
        if let token = token.withLock({ $0 }), token.end > now { return token.credentials }
        var response = try await ask()
        if response.status == 400, clock.withLock({ $0.correct(by: response, tolerance: .seconds(60)) }) {
            response = try await ask()
        }
        let document = JSONDocument(response.body)
        guard response.status == 200, let text = document?.text("access_token"),
            let credentials = HTTPCredentials.bearer(text)
        else { throw refusal(response, document) }
        let lifetime = Duration.seconds(document?.integer("expires_in") ?? 3600)
        let fresh = Token(credentials: credentials, end: now + max(lifetime / 2, lifetime - Self.margin))
        token.withLock { $0 = fresh }
        return credentials
    }

    /// After a server has refused the token: the next one is a new one.
    func forget() { token.withLock { $0 = nil } }

    private func ask() async throws -> HTTPResponse {
        guard let assertion = account.assertion(scopes: scopes, at: clock.withLock { $0.now }) else {
            throw StorageError(HTTPVerdict.misconfigured, "the service account's key cannot sign: it is no RSA key")
        }
        // Percent-encoded as a form: `urn:ietf:params:oauth:grant-type:jwt-bearer`.
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        return try await transport.send(
            HTTPRequest(
                .post, account.tokenURL, body: HTTPBody(form),
                headers: ["Content-Type: application/x-www-form-urlencoded"]))
    }

    private func refusal(_ response: HTTPResponse, _ document: JSONDocument?) -> StorageError {
        let url = account.tokenURL
        guard response.status == 400 || response.status == 401, let code = document?.text("error") else {
            return HTTPVerdict.error(response, destination: url, success: [])
                ?? StorageError(
                    .temporary(retryAfter: nil), "\(url) answers without a token",
                    advice: "check token_uri in the service account's key file")
        }
        let reason = document?.text("error_description") ?? code
        // Google says the same of a wrong clock and of a key that it does not know: the clock was corrected by now.
        return StorageError(
            HTTPVerdict.misconfigured, "\(url) gives no token to \(account.email): \(reason)",
            advice: "check that the key was not deleted in Google's console, and the board's clock")
    }
}
