internal import CCurl
internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// The two bodies of a transfer: what is sent is read from memory or files as libcurl asks for it, and what comes
/// back is kept up to a limit.
final class CurlExchange {
    private var source: BodyReader?
    /// Of what is sent, in bytes.
    let size: Int
    private let longestAnswer: Int
    private var received: [UInt8] = []
    /// Why the transfer was given up from this side.
    private(set) var failure: StorageError?

    init(_ request: HTTPRequest) {
        source = request.body.map { BodyReader($0) }
        size = request.body?.size ?? 0
        longestAnswer = request.longestAnswer
    }

    /// Makes libcurl use this exchange, which has to outlive the transfer.
    func attach(to easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        if source != nil { attachSource(to: easy, context) }
        perch_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        perch_curl_set_data_function(easy, CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
            return exchange.receive(UnsafeRawBufferPointer(start: buffer, count: size * count))
        }
    }

    private func attachSource(to easy: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
        perch_curl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
        perch_curl_set_pointer(easy, CURLOPT_READDATA, context)
        perch_curl_set_data_function(easy, CURLOPT_READFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return Int(CURL_READFUNC_ABORT) }
            let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
            return exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        perch_curl_set_pointer(easy, CURLOPT_SEEKDATA, context)
        perch_curl_set_seek_function(easy, CURLOPT_SEEKFUNCTION) { context, offset, origin in
            guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
            // Asked for when a kept connection turns out to be dead: the body then starts over on a new one.
            Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().source?.position = Int(offset)
            return CURL_SEEKFUNC_OK
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            return try source?.read(into: buffer) ?? 0
        } catch {
            failure = error as? StorageError ?? StorageError(.temporary(retryAfter: nil), "\(error)")
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private func receive(_ buffer: UnsafeRawBufferPointer) -> Int {
        guard received.count + buffer.count <= longestAnswer else {
            failure = StorageError(
                .temporary(retryAfter: nil), "the server answers with more than \(longestAnswer / 1024) KiB",
                advice: "check that the address is that of a storage server")
            return 0
        }
        received += buffer
        return buffer.count
    }

    func response(of easy: UnsafeMutableRawPointer) -> HTTPResponse {
        var status = 0
        perch_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        var headers: [String: String] = [:]
        var header: UnsafeMutablePointer<curl_header>?
        // The last request of the transfer (-1): a proxy's answer to CONNECT is not the server's.
        while let next = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, header) {
            headers[String(cString: next.pointee.name).lowercased()] = String(cString: next.pointee.value)
            header = next
        }
        return HTTPResponse(status: status, headers: headers, body: received)
    }
}
