internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// What has to hold before something is written into a directory.
public struct DirectoryConditions: Sendable {
    /// Whether the directory has to be a mount point: without its stick or share, an empty folder is all that is left, and
    /// would be filled in its stead.
    public var isMounted: Bool
    /// So many bytes of its file system are left to others.
    public var keptFree: Int

    /// 64 MB is what a Linux system needs to go on logging and updating itself for a while.
    public init(isMounted: Bool = false, keptFree: Int = 64_000_000) {
        self.isMounted = isMounted
        self.keptFree = keptFree
    }

    /// Throws a temporary ``StorageError`` when `root` should be a mount point and is none.
    func checkMount(_ root: String) throws {
        guard isMounted, try !Self.isMountPoint(root) else { return }
        throw StorageError(
            .temporary(retryAfter: nil), "\(root): nothing is mounted there",
            advice: "plug the stick in or mount the share; without mounted: true any folder would do")
    }

    /// Throws a temporary ``StorageError`` when there is no room for `size` bytes in `folder`.
    func checkRoom(for size: Int, in folder: String) throws {
        var status = statvfs()
        try systemCall("statvfs \(folder)") { statvfs(folder, &status) }
        // Some network file systems do not say.
        guard status.f_blocks > 0 else { return }
        let free = status.f_bavail.multipliedReportingOverflow(by: UInt(status.f_frsize))
        let wanted = UInt(clamping: size).addingReportingOverflow(UInt(clamping: keptFree))
        guard !free.overflow, wanted.overflow || free.partialValue < wanted.partialValue else { return }
        throw StorageError(
            .temporary(retryAfter: nil),
            "\(folder): \(free.partialValue / 1_000_000) MB are free, of which \(keptFree / 1_000_000) MB are kept",
            advice: "make room there, or set keep-free")
    }

    /// Another file system than the folder above. (The mount table would name folders, too, that systemd has bound to
    /// themselves.)
    private static func isMountPoint(_ path: String) throws -> Bool {
        var (own, above) = (stat(), stat())
        do {
            try systemCall("stat \(path)") { stat(path, &own) }
            try systemCall("stat \(path)/..") { stat("\(path)/..", &above) }
        } catch let error as SystemError where error.code == ENOENT {
            return false
        }
        return own.st_dev != above.st_dev || own.st_ino == above.st_ino
    }
}
