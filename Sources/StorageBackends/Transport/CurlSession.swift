internal import CCurl
internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// One libcurl transfer at a time, with the connections that are left open between them.
///
/// Unchecked: everything happens on the transport's thread, except ``wake()``, which libcurl allows from any.
final class CurlSession: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    let easy: UnsafeMutableRawPointer
    let settings: ConnectionSettings
    /// Where libcurl puts the particulars of an error.
    let particulars = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(_ settings: ConnectionSettings) throws {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw SystemError(code: ENOMEM, call: "curl_multi_init")
        }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw SystemError(code: ENOMEM, call: "curl_easy_init")
        }
        self.multi = multi
        self.easy = easy
        self.settings = settings
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        particulars.deallocate()
    }

    /// Ends the wait for the network, so that a cancellation is seen. From any thread.
    func wake() { curl_multi_wakeup(multi) }

    func perform(_ request: HTTPRequest, _ cancellation: Cancellation) throws -> HTTPResponse {
        let exchange = CurlExchange(request)
        var headers: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { headers = curl_slist_append(headers, header) }
        // libcurl asks first whether it may send, and waits a second for a server that ignores the question.
        // That pays where a refusal saves sending much: from 1 MiB.
        if exchange.size < 1 << 20 { headers = curl_slist_append(headers, "Expect:") }
        defer { curl_slist_free_all(headers) }
        // Keeps nothing but connections, names and TLS sessions from the transfer before.
        curl_easy_reset(easy)
        configure(request, exchange, headers)
        return try withExtendedLifetime(exchange) {
            curl_multi_add_handle(multi, easy)
            defer { curl_multi_remove_handle(multi, easy) }
            try transfer(cancellation)
            return try result(exchange, request)
        }
    }

    private func transfer(_ cancellation: Cancellation) throws {
        var running: Int32 = 0
        while true {
            try cancellation.check()
            try check(curl_multi_perform(multi, &running))
            if running == 0 { return }
            // libcurl wakes up earlier for its own deadlines.
            try check(curl_multi_poll(multi, nil, 0, 3_600_000, nil))
        }
    }

    private func result(_ exchange: CurlExchange, _ request: HTTPRequest) throws -> HTTPResponse {
        var left: Int32 = 0
        var outcome = CURLE_OK
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { outcome = message.pointee.data.result }
        }
        if var failure = exchange.failure {
            failure.message = "\(request.shownAddress): \(failure.message)"
            throw failure
        }
        guard outcome == CURLE_OK else { throw error(outcome, request) }
        return exchange.response(of: easy)
    }

    private func check(_ code: CURLMcode) throws {
        guard code != CURLM_OK else { return }
        throw StorageError(.temporary(retryAfter: nil), "libcurl: \(String(cString: curl_multi_strerror(code)))")
    }

    private func error(_ code: CURLcode, _ request: HTTPRequest) -> StorageError {
        let reason = String(cString: particulars.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(particulars))
        let advice: String? =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: "check the server's name and the board's network"
            case CURLE_COULDNT_RESOLVE_PROXY: "check the proxy's name, in the configuration or in https_proxy"
            case CURLE_COULDNT_CONNECT: "check that the server runs and that its address and port are right"
            case CURLE_PEER_FAILED_VERIFICATION:
                "name the file of the authority that signed the server's certificate, and check the board's clock"
            case CURLE_SSL_CACERT_BADFILE: "the file of trusted authorities must be readable and in PEM format"
            case CURLE_SSL_CERTPROBLEM:
                "the client's certificate and its key must be readable, in PEM format, and belong together"
            // What libcurl says when a proxy refuses to make a tunnel.
            case CURLE_RECV_ERROR where reason.contains("407"): "check the proxy's login"
            default: nil
            }
        return StorageError(.temporary(retryAfter: nil), "\(request.shownAddress): \(reason)", advice: advice)
    }
}
