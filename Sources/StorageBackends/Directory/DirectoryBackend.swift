public import CaptureStore
public import DeviceRuntime
internal import Glibc

/// Stores each object as a file: on a USB stick, a share, or for whatever else picks files up.
///
/// A file appears under its name only when it is complete and on the disk.
public final class DirectoryBackend: ObjectStorage {
    public let name: String
    public let destination: String
    private let thread: BlockingThread

    private let conditions: DirectoryConditions

    /// `path` is made when the first object is stored, unless it has to be a mount point. Throws `SystemError` when the
    /// system is out of resources.
    public init(
        name: String, path: String, conditions: DirectoryConditions = DirectoryConditions(), loop: EventLoop
    ) throws {
        self.name = name
        destination = path
        self.conditions = conditions
        thread = try BlockingThread(named: name, loop: loop)
    }

    public func store(_ object: StoredObject) async throws {
        let (root, conditions) = (destination, conditions)
        try await thread.runCancellable { cancellation in
            do {
                try FileWriter(root: root, conditions: conditions, cancellation: cancellation).store(object)
            } catch let error as SystemError {
                throw Self.describe(error, root)
            }
        }
    }

    public func lookUp(_ name: String) async throws -> StoredPresence? {
        let root = destination
        return try await thread.run {
            do {
                return try Files.size(of: "\(root)/\(name)").map { .present(size: $0) } ?? .absent
            } catch let error as SystemError {
                throw Self.describe(error, root)
            }
        }
    }

    private static func describe(_ error: SystemError, _ root: String) -> StorageError {
        let advice: String? =
            switch error.code {
            case ENOSPC, EDQUOT: "make room there"
            case EACCES, EPERM: "give the directory to the user that runs perch"
            case EROFS: "mount it writable; a card or stick that became read-only is failing"
            case ENOTDIR: "a file stands where a directory should be"
            case EIO: "the card or stick may be failing"
            case ENODEV, ENXIO, ENOTCONN, ESTALE, EHOSTDOWN: "the stick or share has gone; mount it again"
            default: nil
            }
        return StorageError(
            error.code == ENAMETOOLONG ? .permanent : .temporary(retryAfter: nil), "\(root): \(error)", advice: advice)
    }
}
