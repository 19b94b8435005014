internal import CCurl
internal import CaptureStore
internal import DeviceRuntime

/// Sends requests with libcurl, on threads of its own that sleep in between.
///
/// There are two lanes, each with one request at a time: what reads files takes one, and everything else the other, so
/// that an event does not wait for a film. Connections are kept and used again. TLS always verifies, and redirects are
/// not followed.
final class HTTPTransport: Sendable {
    private struct Lane: Sendable {
        let thread: BlockingThread
        let session: CurlSession

        init(named name: String, _ settings: ConnectionSettings, _ loop: EventLoop) throws {
            session = try CurlSession(settings)
            thread = try BlockingThread(named: name, loop: loop)
        }
    }

    private let quick: Lane
    private let bulk: Lane
    private let coding: Protected<ContentCodingStateMachine>

    /// Throws when the system is out of resources.
    init(named name: String, _ settings: ConnectionSettings, loop: EventLoop) throws {
        quick = try Lane(named: name, settings, loop)
        bulk = try Lane(named: name, settings, loop)
        coding = Protected(ContentCodingStateMachine(settings.compression))
    }

    /// Sends the request and returns the answer, whatever its status. Throws a temporary ``StorageError`` when
    /// there was none, and `CancellationError` at once when the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let lane = request.body?.readsFiles == true ? bulk : quick
        let (session, coding) = (lane.session, coding)
        return try await lane.thread.runCancellable(onCancel: { session.wake() }) { cancellation in
            let (response, sendsAgain) = try Self.perform(request, session, coding, cancellation)
            return sendsAgain ? try Self.perform(request, session, coding, cancellation).response : response
        }
    }

    /// The hashes of a body, which is read where it does not keep anybody waiting.
    func hashes(of body: HTTPBody, withCRC32C: Bool = false) async throws -> ContentHashes {
        try await (body.readsFiles ? bulk : quick).thread.runCancellable {
            try ContentHashes(body, withCRC32C: withCRC32C, $0)
        }
    }

    /// Runs work with small files on a thread of the transport's.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await bulk.thread.run(work)
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
