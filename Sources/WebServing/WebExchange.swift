internal import CMicroHTTPD

/// A request, and the way to answer it. On the loop only.
public final class WebExchange: @unchecked Sendable {
    enum Answer {
        case response(WebResponse)
        case stream(WebStream)
    }

    public internal(set) var request: WebRequest
    /// The request was handed on.
    var isAsked = false
    private var answer: Answer?
    /// Set while libmicrohttpd waits for the answer.
    var resume: (() -> Void)?

    init(_ request: WebRequest) { self.request = request }

    public func answer(_ response: WebResponse) { give(.response(response)) }

    public func answer(_ stream: WebStream) { give(.stream(stream)) }

    /// An answer that was given before stays.
    private func give(_ answer: Answer) {
        guard self.answer == nil else { return }
        self.answer = answer
        let resume = resume
        self.resume = nil
        resume?()
    }

    /// Hands the answer to libmicrohttpd. Without one, the connection is closed.
    func queue(on connection: OpaquePointer, suspend: @escaping () -> (() -> Void)) -> MHD_Result {
        switch answer {
        case .response(let response): return Self.queue(response, on: connection)
        case .stream(let stream):
            stream.suspend = suspend
            return Self.queue(stream.makeResponse(), 200, stream.headers, on: connection)
        case nil: return perch_httpd_no
        }
    }

    static func queue(_ response: WebResponse, on connection: OpaquePointer) -> MHD_Result {
        let made = response.body.withUnsafeBytes { perch_httpd_response($0.baseAddress, $0.count) }
        return queue(made, response.status, response.headers, on: connection)
    }

    private static func queue(
        _ response: OpaquePointer?, _ status: Int, _ headers: [(name: String, value: String)],
        on connection: OpaquePointer
    ) -> MHD_Result {
        guard let response else { return perch_httpd_no }
        defer { MHD_destroy_response(response) }
        for header in headers { _ = MHD_add_response_header(response, header.name, header.value) }
        return MHD_queue_response(connection, UInt32(clamping: status), response)
    }
}
