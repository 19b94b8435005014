import DeviceRuntime
import Glibc
import TestSupport

/// A disk that fails as a test says, for the files in one folder: a library that is loaded into the daemon in front of
/// the C library.
struct DiskFaults {
    private let library: String
    private let control: String
    private let folder: String

    init(for folder: String, in directory: TemporaryDirectory) throws {
        library = "\(directory.path)/diskfaults.so"
        control = "\(directory.path)/faults"
        self.folder = folder
        let source = Files.parent(of: #filePath) + "/Faults/diskfaults.c"
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let (lines, code) = try RunningProcess.run(
            ["/usr/bin/env", "clang", "-shared", "-fPIC", "-o", library, source, "-ldl"], environment: ["PATH=\(path)"])
        guard code == 0 else { throw SystemError(code: EIO, call: "clang: \(lines)") }
    }

    /// For the program that is to have such a disk.
    var environment: [String] {
        ["LD_PRELOAD=\(library)", "DISK_FAULTS=\(control)", "DISK_FAULTS_FOLDER=\(folder)"]
    }

    /// From now on; lines as `diskfaults.c` has them.
    func set(_ faults: String) throws {
        try write(Array((faults + "\n").utf8), to: control + ".new")
        try Files.rename(control + ".new", to: control)
    }

    func clear() throws { try Files.remove(control) }
}
