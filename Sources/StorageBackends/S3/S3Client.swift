internal import CaptureStore
internal import DeviceRuntime

/// Sends signed requests to one bucket, with the server's idea of the time.
final class S3Client: Sendable {
    let signer: S3Signer
    let transport: HTTPTransport
    private let clock: Protected<ServerClock>
    /// Whether the server takes `If-None-Match`, as far as it is known.
    private let takesConditions = Protected(true)

    private let hasClearedUp = Protected(false)

    init(_ signer: S3Signer, transport: HTTPTransport, wallClock: WallClock) {
        self.signer = signer
        self.transport = transport
        clock = Protected(ServerClock(wallClock))
    }

    var settings: S3Settings { signer.settings }

    var isConditional: Bool { takesConditions.withLock { $0 } }

    func giveUpConditions() { takesConditions.withLock { $0 = false } }

    /// Whether this is the first call.
    func beginsClearingUp() -> Bool {
        hasClearedUp.withLock { hasClearedUp in
            defer { hasClearedUp = true }
            return !hasClearedUp
        }
    }

    func now() -> WallTime { clock.withLock { $0.now } }

    /// The bucket's key of an object's name.
    func key(_ name: String) -> String { settings.prefix + name }

    /// The hash of no body.
    static let emptySHA256 = (try? Digest.of([], .sha256)) ?? []

    /// Sends a request, and once more with the server's time when it refuses the board's.
    func send(
        _ method: HTTPRequest.Method, _ key: String, query: [(String, String)] = [], body: HTTPBody? = nil,
        sha256: [UInt8] = S3Client.emptySHA256, headers: [String] = [], longestAnswer: Int = 64 * 1024
    ) async throws -> HTTPResponse {
        func attempt() async throws -> HTTPResponse {
            var request = try signer.request(
                method, key, query: query, body: body, sha256: sha256, headers: headers, at: now())
            request.longestAnswer = longestAnswer
            return try await transport.send(request)
        }
        let response = try await attempt()
        // Servers let 15 minutes pass, and OpenStack Swift five.
        guard [400, 401, 403].contains(response.status),
            clock.withLock({ $0.correct(by: response, tolerance: .seconds(240)) })
        else { return response }
        return try await attempt()
    }
}
