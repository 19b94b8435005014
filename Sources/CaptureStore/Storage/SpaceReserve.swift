internal import DeviceRuntime
internal import Glibc

/// Some space that nobody else gets: given up when the disk is full, so that deliveries can be struck off, which needs a
/// little space before it frees any. Taken again before new records are.
///
/// SQLite's log holds up to as many bytes as ``logBytes`` before they go into the file, which may have to grow by as much.
final class SpaceReserve {
    private let path: String
    private let size: Int
    private var isTaken = false
    /// The disk is full, or was when somebody last looked.
    private(set) var isMissing = false

    /// How long the log may become: less on a file system that is small.
    let logBytes: Int

    /// SQLite's own measure is 1,000 pages of 1 KiB.
    private static let longestLog = 1000 * 1024
    private static let shortestLog = 64 * 1024

    init(directory: String) throws {
        path = "\(directory)/reserve"
        let capacity = try DiskSpace.of(directory).total
        logBytes = min(Self.longestLog, max(Self.shortestLog, capacity / 64))
        size = logBytes + logBytes / 4
    }

    /// Takes it (again). Throws `ENOSPC` while there is not enough space.
    func take() throws {
        guard !isTaken else { return }
        do {
            if try Files.size(of: path) ?? 0 < size { try Files.allocate(path, size) }
            isTaken = true
            isMissing = false
        } catch {
            // What there is of it is of no use.
            release()
            throw error
        }
    }

    func release() {
        isTaken = false
        isMissing = true
        try? Files.remove(path)
    }
}

extension Error {
    /// Whether it says that there is no space.
    var isLackOfSpace: Bool {
        if let error = self as? SystemError { return [ENOSPC, EDQUOT].contains(error.code) }
        return (self as? DatabaseError)?.isLackOfSpace ?? false
    }
}
