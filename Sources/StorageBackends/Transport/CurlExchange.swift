internal import CCurl
internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// The two bodies of a transfer: what is sent is read from memory or a file as libcurl asks for it, and of what
/// comes back the beginning is kept.
final class CurlExchange {
    private let bytes: [UInt8]
    private let file: FileDescriptor?
    /// Of what is sent, in bytes.
    let size: Int
    private var position = 0
    private var received: [UInt8] = []
    /// Why the transfer was given up from this side.
    private(set) var failure: StorageError?

    /// An answer to an upload is a few lines. What sends more than this is not the server that was meant.
    private static let longestAnswer = 64 * 1024

    init(_ body: StoredObject.Body) throws {
        switch body {
        case .bytes(let bytes):
            self.bytes = bytes
            file = nil
            size = bytes.count
        case .file(let path, let size):
            bytes = []
            self.size = size
            do {
                file = try FileDescriptor(opening: path, flags: O_RDONLY)
            } catch {
                throw StorageError(.temporary(retryAfter: nil), "cannot read the file to upload: \(error)")
            }
        }
    }

    /// Makes libcurl use this exchange, which has to outlive the transfer.
    func attach(to easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        perch_curl_set_long(easy, CURLOPT_UPLOAD, 1)
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
            Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().position = Int(offset)
            return CURL_SEEKFUNC_OK
        }
        perch_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        perch_curl_set_data_function(easy, CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
            return exchange.receive(UnsafeRawBufferPointer(start: buffer, count: size * count))
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let wanted = min(buffer.count, size - position)
        guard wanted > 0 else { return 0 }
        guard let file else {
            buffer.copyBytes(from: bytes[position..<position + wanted])
            position += wanted
            return wanted
        }
        do {
            let number = try file.open()
            let count = try systemCall("read") { pread(number, buffer.baseAddress, wanted, off_t(position)) }
            guard count > 0 else { throw SystemError(code: EIO, call: "read: the file is shorter than it was") }
            position += count
            return count
        } catch {
            failure = StorageError(.temporary(retryAfter: nil), "cannot read the file to upload: \(error)")
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private func receive(_ buffer: UnsafeRawBufferPointer) -> Int {
        guard received.count + buffer.count <= Self.longestAnswer else {
            failure = StorageError(
                .temporary(retryAfter: nil), "the server answers an upload with more than 64 KiB",
                advice: "check that the address is that of a storage server")
            return 0
        }
        received += buffer
        return buffer.count
    }

    func response(of easy: UnsafeMutableRawPointer) -> HTTPResponse {
        var status = 0
        perch_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return HTTPResponse(
            status: status, contentType: header("Content-Type", of: easy) ?? "",
            retryAfter: header("Retry-After", of: easy).flatMap {
                RetryAfter.parse($0, date: header("Date", of: easy))
            },
            location: header("Location", of: easy), body: received)
    }

    private func header(_ name: String, of easy: UnsafeMutableRawPointer) -> String? {
        var found: UnsafeMutablePointer<curl_header>?
        // The last request of the transfer (-1): a proxy's answer to CONNECT is not the server's.
        guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &found) == CURLHE_OK, let found else {
            return nil
        }
        return String(cString: found.pointee.value)
    }
}
