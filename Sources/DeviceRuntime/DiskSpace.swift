internal import Glibc

/// How much room a file system has.
public struct DiskSpace: Sendable, Hashable {
    public var total: Int
    /// What a process that is not root's may use.
    public var free: Int
    public var isReadOnly: Bool

    public init(total: Int, free: Int, isReadOnly: Bool = false) {
        self.total = total
        self.free = free
        self.isReadOnly = isReadOnly
    }

    /// Of the file system of `path`, or of the nearest folder above it that is there. Throws ``SystemError``.
    public static func of(_ path: String) throws -> DiskSpace {
        var facts = statvfs()
        do {
            try systemCall("statvfs \(path)") { statvfs(path, &facts) }
        } catch let error as SystemError where error.code == ENOENT && path != "/" && path != "." {
            return try of(Files.parent(of: path))
        }
        return DiskSpace(
            total: Int(facts.f_blocks) * Int(facts.f_frsize), free: Int(facts.f_bavail) * Int(facts.f_frsize),
            isReadOnly: facts.f_flag & UInt(ST_RDONLY) != 0)
    }
}
