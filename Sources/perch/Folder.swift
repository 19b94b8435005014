import DeviceRuntime
import Glibc

/// Folders of results. With the C library and not with Foundation, which would make the program twice as large.
enum Folder {
    /// Makes a new folder for things that nobody keeps.
    static func makeTemporary() throws -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(parent)/perch-XXXXXX".utf8CString)
        try systemCall("mkdtemp in \(parent)") { mkdtemp(&path) == nil ? -1 : 0 }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The files in a folder and in those below it, with their paths from there; none when it cannot be read.
    static func files(in folder: String) -> [String] {
        entries(of: folder).flatMap { name in
            isFolder("\(folder)/\(name)") ? files(in: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
        }
    }

    /// Removes a folder with all that is in it, as far as it goes.
    static func remove(_ folder: String) {
        for name in entries(of: folder) {
            let path = "\(folder)/\(name)"
            if isFolder(path) { remove(path) } else { try? Files.remove(path) }
        }
        rmdir(folder)
    }

    /// What is in a folder; nothing when it cannot be read.
    static func entries(of folder: String) -> [String] {
        var names: [String] = []
        try? Files.forEachEntry(of: folder) { names.append($0) }
        return names
    }

    /// Not through a symbolic link: what that points to is somebody else's.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
