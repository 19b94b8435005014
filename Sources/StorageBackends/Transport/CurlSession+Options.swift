internal import CCurl

extension CurlSession {
    func configure(_ request: HTTPRequest, _ exchange: CurlExchange, _ headers: UnsafeMutablePointer<curl_slist>?) {
        perch_curl_set_string(easy, CURLOPT_URL, request.url)
        perch_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // A signature is over the path as it was written.
        perch_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        perch_curl_set_list(easy, CURLOPT_HTTPHEADER, headers)
        perch_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, particulars)
        particulars.pointee = 0
        // Signals are the loop's.
        perch_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Without this, ending a transfer waits for a name server that does not answer.
        perch_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        setTLS()
        setProxy()
        setDeadlines(for: exchange.size)
        setCredentials(request.credentials)
        setMethod(request)
        exchange.attach(to: easy)
    }

    private func setMethod(_ request: HTTPRequest) {
        if request.body != nil { perch_curl_set_long(easy, CURLOPT_UPLOAD, 1) }
        switch request.method {
        case .get: break
        case .head: perch_curl_set_long(easy, CURLOPT_NOBODY, 1)
        case .put where request.body != nil: break
        default: perch_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func setTLS() {
        perch_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities = settings.authorities {
            perch_curl_set_string(easy, CURLOPT_CAINFO, authorities)
            perch_curl_set_string(easy, CURLOPT_PROXY_CAINFO, authorities)
        }
        if let certificate = settings.clientCertificate {
            perch_curl_set_string(easy, CURLOPT_SSLCERT, certificate)
            perch_curl_set_string(easy, CURLOPT_SSLKEY, settings.clientKey ?? certificate)
        }
    }

    private func setProxy() {
        guard let proxy = settings.proxy else { return }
        perch_curl_set_string(easy, CURLOPT_PROXY, proxy)
        guard case .basic(let user, let password)? = settings.proxyCredentials?.kind else { return }
        perch_curl_set_string(easy, CURLOPT_PROXYUSERNAME, user)
        perch_curl_set_string(easy, CURLOPT_PROXYPASSWORD, password)
    }

    private func setDeadlines(for size: Int) {
        let deadlines = settings.deadlines
        perch_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, deadlines.connect.milliseconds)
        let total = deadlines.total + .seconds(size / 8192)
        perch_curl_set_long(easy, CURLOPT_TIMEOUT_MS, total.milliseconds)
        // 64 bytes a second: less than any link that works, more than a server that only pretends to.
        perch_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 64)
        perch_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, deadlines.stall.milliseconds / 1000))
    }

    private func setCredentials(_ credentials: HTTPCredentials?) {
        switch credentials?.kind {
        case .bearer(let token):
            perch_curl_set_long(easy, CURLOPT_HTTPAUTH, perch_curl_auth_bearer)
            perch_curl_set_string(easy, CURLOPT_XOAUTH2_BEARER, token)
        case .basic(let user, let password):
            perch_curl_set_long(easy, CURLOPT_HTTPAUTH, perch_curl_auth_basic)
            setLogin(user, password)
        case .digest(let user, let password):
            perch_curl_set_long(easy, CURLOPT_HTTPAUTH, perch_curl_auth_digest)
            setLogin(user, password)
        case nil: break
        }
    }

    private func setLogin(_ user: String, _ password: String) {
        perch_curl_set_string(easy, CURLOPT_USERNAME, user)
        perch_curl_set_string(easy, CURLOPT_PASSWORD, password)
    }
}

extension Duration {
    /// Whole milliseconds, at least one: zero would mean no limit to libcurl.
    fileprivate var milliseconds: Int { max(1, Int(clamping: Int64(self / .milliseconds(1)))) }
}
