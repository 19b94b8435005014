internal import CCurl
internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// One libcurl transfer at a time, with the connections that are left open between them.
///
/// Unchecked: everything happens on the transport's thread, except ``wake()``, which libcurl allows from any.
final class CurlSession: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let authorities: String?
    private let deadlines: TransferDeadlines
    /// Where libcurl puts the particulars of an error.
    private let particulars = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(authorities: String?, deadlines: TransferDeadlines) throws {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw SystemError(code: ENOMEM, call: "curl_multi_init")
        }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw SystemError(code: ENOMEM, call: "curl_easy_init")
        }
        self.multi = multi
        self.easy = easy
        self.authorities = authorities
        self.deadlines = deadlines
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        particulars.deallocate()
    }

    /// Ends the wait for the network, so that a cancellation is seen. From any thread.
    func wake() { curl_multi_wakeup(multi) }

    func perform(_ request: HTTPRequest, isCancelled: Protected<Bool>) throws -> HTTPResponse {
        let exchange = try CurlExchange(request.body)
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
            try transfer(isCancelled)
            return try result(exchange, request)
        }
    }

    private func configure(
        _ request: HTTPRequest, _ exchange: CurlExchange, _ headers: UnsafeMutablePointer<curl_slist>?
    ) {
        perch_curl_set_string(easy, CURLOPT_URL, request.url)
        perch_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        perch_curl_set_list(easy, CURLOPT_HTTPHEADER, headers)
        perch_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, particulars)
        particulars.pointee = 0
        // Signals are the loop's.
        perch_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Without this, ending a transfer waits for a name server that does not answer.
        perch_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        if let authorities { perch_curl_set_string(easy, CURLOPT_CAINFO, authorities) }
        perch_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        perch_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, deadlines.connect.milliseconds)
        let total = deadlines.total + .seconds(exchange.size / 8192)
        perch_curl_set_long(easy, CURLOPT_TIMEOUT_MS, total.milliseconds)
        // 64 bytes a second: less than any link that works, more than a server that only pretends to.
        perch_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 64)
        perch_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, deadlines.stall.milliseconds / 1000))
        switch request.credentials?.kind {
        case .bearer(let token):
            perch_curl_set_long(easy, CURLOPT_HTTPAUTH, perch_curl_auth_bearer)
            perch_curl_set_string(easy, CURLOPT_XOAUTH2_BEARER, token)
        case .basic(let user, let password):
            perch_curl_set_long(easy, CURLOPT_HTTPAUTH, perch_curl_auth_basic)
            perch_curl_set_string(easy, CURLOPT_USERNAME, user)
            perch_curl_set_string(easy, CURLOPT_PASSWORD, password)
        case nil: break
        }
        exchange.attach(to: easy)
    }

    private func transfer(_ isCancelled: Protected<Bool>) throws {
        var running: Int32 = 0
        while true {
            if isCancelled.withLock({ $0 }) { throw CancellationError() }
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
            failure.message = "\(request.url): \(failure.message)"
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
            case CURLE_COULDNT_RESOLVE_PROXY: "check the proxy in https_proxy"
            case CURLE_COULDNT_CONNECT: "check that the server runs and that its address and port are right"
            case CURLE_PEER_FAILED_VERIFICATION:
                "name the file of the authority that signed the server's certificate, and check the board's clock"
            case CURLE_SSL_CACERT_BADFILE: "the file of trusted authorities must be readable and in PEM format"
            default: nil
            }
        return StorageError(.temporary(retryAfter: nil), "\(request.url): \(reason)", advice: advice)
    }
}

extension Duration {
    /// Whole milliseconds, at least one: zero would mean no limit to libcurl.
    fileprivate var milliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
