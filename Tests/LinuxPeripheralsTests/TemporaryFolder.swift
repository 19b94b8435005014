import FoundationEssentials

/// A folder that is gone with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "perch-test-\(UUID())").path
        try makeFolder("")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes the folders above it, too.
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }
}
