import DeviceRuntime
import Glibc

/// A server of Tests/Servers, with a folder of its own.
public final class ScriptServer: Sendable {
    public let directory: TemporaryDirectory
    public let port: UInt16
    private let process: RunningProcess

    /// Starts one by the name of its script, and waits until it listens. `isPackaged` for one whose packages are
    /// Debian's, not PyPI's.
    public init(_ script: String, isPackaged: Bool = false) throws {
        directory = try TemporaryDirectory()
        let home = getenv("HOME").map { String(cString: $0) } ?? "/root"
        let python = isPackaged ? "/usr/bin/python3" : "\(home)/.cache/perch/storage-tests/bin/python"
        process = try RunningProcess(
            [python, Self.folder + "/" + script, directory.path], environment: ["PATH=/usr/bin:/bin:/usr/sbin:/sbin"])
        let line = try process.line(containing: "listening on ")
        guard let port = line.split(separator: " ").last.flatMap({ UInt16($0) }) else {
            throw SystemError(code: EPROTO, call: "\(script) says '\(line)'")
        }
        self.port = port
    }

    deinit { process.end(SIGKILL) }

    static let folder = Files.parent(of: Files.parent(of: #filePath)) + "/Servers"

    /// A file of its folder; `nil` when there is none.
    public func file(_ name: String) throws -> [UInt8]? {
        let path = "\(directory.path)/\(name)"
        return try Files.size(of: path) == nil ? nil : try Files.read(path)
    }
}
