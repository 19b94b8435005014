internal import CaptureStore

/// What is known of a content without having it: the hashes that servers compare.
struct ContentHashes: Sendable, Hashable {
    var size: Int
    var md5: [UInt8]
    var sha256: [UInt8]
    /// The Castagnoli checksum, for who asks for it.
    var crc32c: UInt32?

    /// Reads the body once, 64 KiB at a time. Throws a temporary ``StorageError`` when it cannot be read, and
    /// `CancellationError` once cancelled.
    init(_ body: HTTPBody, withCRC32C: Bool = false, _ cancellation: Cancellation) throws {
        let (md5, sha256) = (try DigestContext(.md5), try DigestContext(.sha256))
        var crc = withCRC32C ? CRC32C() : nil
        var reader = BodyReader(body)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try reader.read(into: buffer), count > 0 {
            try cancellation.check()
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            md5.update(bytes)
            sha256.update(bytes)
            crc?.update(bytes)
        }
        size = body.size
        self.md5 = md5.finish()
        self.sha256 = sha256.finish()
        crc32c = crc?.value
    }
}
