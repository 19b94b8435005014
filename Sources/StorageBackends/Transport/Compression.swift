internal import CZlib
internal import CZstd

extension ContentCoding {
    /// Below this a body is not worth a frame and a table; above it text shrinks to a third or less.
    static let smallestBody = 1024

    /// The bytes in this coding; `nil` when they do not become fewer or the system is out of memory.
    package func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        let result =
            switch self {
            case .gzip: Self.gzip(bytes)
            case .zstd: Self.zstd(bytes)
            }
        guard let result, result.count < bytes.count else { return nil }
        return result
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard perch_deflate_init_gzip(&stream) == Z_OK, let size = UInt32(exactly: bytes.count) else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let limit = Int(deflateBound(&stream, UInt(bytes.count)))
        let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = size
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(clamping: limit)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
        return output.isEmpty ? nil : output
    }

    private static func zstd(_ bytes: [UInt8]) -> [UInt8]? {
        let limit = ZSTD_compressBound(bytes.count)
        let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let size = ZSTD_compress(buffer.baseAddress, limit, bytes, bytes.count, ZSTD_CLEVEL_DEFAULT)
            count = ZSTD_isError(size) == 0 ? size : 0
        }
        return output.isEmpty ? nil : output
    }
}
