internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// Reads a body from any position on, with one file open at a time.
struct BodyReader {
    private let pieces: [HTTPBody.Piece]
    /// Of the next byte, from the body's beginning.
    var position = 0
    /// The file that was read last, which is probably the next one too.
    private var open: (path: String, descriptor: FileDescriptor)?

    init(_ body: HTTPBody) { pieces = body.pieces }

    /// Fills the buffer as far as the piece at the position reaches. Returns how many bytes that were; 0 at the end.
    /// Throws a temporary ``StorageError`` when a file cannot be read or is shorter than it should be.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var start = 0
        for piece in pieces {
            let offset = position - start
            start += piece.size
            guard offset < piece.size else { continue }
            let wanted = min(buffer.count, piece.size - offset)
            guard wanted > 0 else { return 0 }
            let count: Int
            switch piece {
            case .bytes(let bytes):
                buffer.copyBytes(from: bytes[offset..<offset + wanted])
                count = wanted
            case .file(let path, let range):
                let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
                count = try read(path, at: range.lowerBound + offset, into: target)
            }
            position += count
            return count
        }
        return 0
    }

    private mutating func read(_ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    {
        do {
            let number = try file(path).open()
            let count = try systemCall("read") { pread(number, buffer.baseAddress, buffer.count, off_t(offset)) }
            guard count > 0 else { throw SystemError(code: EIO, call: "read: the file is shorter than it was") }
            return count
        } catch let error as SystemError {
            throw Self.unreadable(error)
        }
    }

    private mutating func file(_ path: String) throws -> FileDescriptor {
        if let open, open.path == path { return open.descriptor }
        do {
            let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY)
            open = (path, descriptor)
            return descriptor
        } catch let error as SystemError {
            throw Self.unreadable(error)
        }
    }

    private static func unreadable(_ error: SystemError) -> StorageError {
        StorageError(.temporary(retryAfter: nil), "cannot read the file to upload: \(error)")
    }
}
