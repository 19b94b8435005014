internal import CCurl
internal import CaptureStore
internal import DeviceRuntime

/// Sends requests with libcurl, one at a time, on a thread of its own that sleeps in between.
///
/// Connections are kept and used again. TLS always verifies, and redirects are not followed.
final class HTTPTransport: Sendable {
    private let thread: BlockingThread
    private let session: CurlSession
    private let coding: Protected<ContentCodingStateMachine>

    /// Throws when the system is out of resources.
    init(named name: String, _ settings: ConnectionSettings, loop: EventLoop) throws {
        session = try CurlSession(settings)
        coding = Protected(ContentCodingStateMachine(settings.compression))
        thread = try BlockingThread(named: name, loop: loop)
    }

    /// Sends the request and returns the answer, whatever its status. Throws a temporary ``StorageError`` when
    /// there was none, and `CancellationError` at once when the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let session = session
        let coding = coding
        return try await thread.runCancellable(onCancel: { session.wake() }) { cancellation in
            let (response, sendsAgain) = try Self.perform(request, session, coding, cancellation)
            return sendsAgain ? try Self.perform(request, session, coding, cancellation).response : response
        }
    }

    /// Runs work that reads files, such as a hash, on the transport's thread.
    func run<Value: Sendable>(_ work: @escaping @Sendable (Cancellation) throws -> Value) async throws -> Value {
        try await thread.runCancellable(work)
    }

    private static func perform(
        _ request: HTTPRequest, _ session: CurlSession, _ coding: Protected<ContentCodingStateMachine>,
        _ cancellation: Cancellation
    ) throws -> (response: HTTPResponse, sendsAgain: Bool) {
        var request = request
        var sent: ContentCoding?
        if let chosen = coding.withLock({ $0.coding }),
            let smaller = request.compressibleBytes.flatMap(chosen.compressed)
        {
            request.body = HTTPBody(smaller)
            request.headers.append("Content-Encoding: \(chosen.rawValue)")
            sent = chosen
        }
        let response = try session.perform(request, cancellation)
        return (response, coding.withLock { $0.handle(response, sent: sent) })
    }
}
