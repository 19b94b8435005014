internal import CCurl
internal import CaptureStore
internal import DeviceRuntime

/// Sends requests with libcurl, one at a time, on a thread of its own that sleeps in between.
///
/// Connections are kept and used again. TLS always verifies, redirects are not followed, and a proxy is what
/// the environment says (`https_proxy`, `no_proxy`).
final class HTTPTransport: Sendable {
    private let thread: BlockingThread
    private let session: CurlSession

    /// `authorities` is a file of certificates (PEM) to trust instead of the system's. Throws when the system
    /// is out of resources.
    init(named name: String, authorities: String?, deadlines: TransferDeadlines, loop: EventLoop) throws {
        session = try CurlSession(authorities: authorities, deadlines: deadlines)
        thread = try BlockingThread(named: name, loop: loop)
    }

    /// Sends the request and returns the answer, whatever its status. Throws a temporary ``StorageError`` when
    /// there was none, and `CancellationError` at once when the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let isCancelled = Protected(false)
        let session = session
        return try await withTaskCancellationHandler {
            try await thread.run { try session.perform(request, isCancelled: isCancelled) }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            session.wake()
        }
    }
}
