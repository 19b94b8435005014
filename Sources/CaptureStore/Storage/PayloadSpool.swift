internal import DeviceRuntime
internal import Glibc

/// The outbox's two directories of files: `incoming/`, where files are being written, and `spool/`, whose
/// files belong to records.
struct PayloadSpool: Sendable {
    let incoming: String
    let spool: String

    init(directory: String) {
        incoming = "\(directory)/incoming"
        spool = "\(directory)/spool"
    }

    /// Locks the outbox in a directory for as long as the descriptor is open; `nil` while another has it.
    static func lock(_ directory: String) throws -> FileDescriptor? {
        let descriptor = try FileDescriptor(opening: "\(directory)/lock", flags: O_RDWR | O_CREAT)
        do {
            try descriptor.lock()
            return descriptor
        } catch let error as SystemError where error.code == EWOULDBLOCK {
            return nil
        }
    }

    /// Makes the directories.
    func open() throws {
        try Files.makeDirectory(incoming)
        try Files.makeDirectory(spool)
    }

    /// Removes what was left behind while being written.
    func clearIncoming() throws {
        try Files.forEachEntry(of: incoming) { try Files.remove("\(incoming)/\($0)") }
    }

    /// Flushes a capture's file and moves it into the spool under the name that it has. The move lasts once
    /// ``sync()`` has returned.
    ///
    /// A file that cannot be taken is recorded as lost rather than letting it hold up the records behind it;
    /// only a full or read-only disk is thrown, because that ends.
    func take(_ payload: Capture.Payload) throws -> Record.Payload {
        let file = String(payload.path.split(separator: "/").last ?? "")
        do {
            guard let size = try Files.size(of: payload.path) else {
                throw SystemError(code: ENOENT, call: "stat \(payload.path)")
            }
            try Files.sync(payload.path)
            try Files.rename(payload.path, to: "\(spool)/\(file)")
            return Record.Payload(file: file, mediaType: payload.mediaType, size: size)
        } catch let error as SystemError where ![ENOSPC, EDQUOT, EROFS].contains(error.code) {
            return Record.Payload(file: nil, mediaType: payload.mediaType, size: 0)
        }
    }

    func sync() throws { try Files.sync(spool) }

    /// Whether a file is there, as long as it was when it was taken. A file system that was mended after a power cut may
    /// have cut it short: half a picture is not to be stored as if it were all of it.
    func has(_ file: String, size: Int) -> Bool { (try? Files.size(of: "\(spool)/\(file)")) == size }

    func remove(_ file: String) throws { try Files.remove("\(spool)/\(file)") }

    /// Removes the files that no record refers to, and returns how many.
    func removeFiles(unless isReferred: (String) throws -> Bool) throws -> Int {
        var count = 0
        try Files.forEachEntry(of: spool) { file in
            guard try !isReferred(file) else { return }
            try remove(file)
            count += 1
        }
        return count
    }
}
