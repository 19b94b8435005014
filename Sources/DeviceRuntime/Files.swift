internal import CLinux
internal import Glibc

/// File operations whose effect outlives a power cut once they have returned. All block: not for the loop.
/// Each throws ``SystemError``.
public enum Files {
    /// The size in bytes, or `nil` when there is no such file.
    public static func size(of path: String) throws -> Int? {
        var status = stat()
        do {
            try systemCall("stat \(path)") { stat(path, &status) }
            return Int(status.st_size)
        } catch let error as SystemError where error.code == ENOENT || error.code == ENOTDIR {
            return nil
        }
    }

    /// The whole content. For small files.
    public static func read(_ path: String) throws -> [UInt8] {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY)
        defer { descriptor.close() }
        let number = try descriptor.open()
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try systemCall("read \(path)") { Glibc.read(number, &chunk, chunk.count) }
            if count == 0 { return content }
            content += chunk[..<count]
        }
    }

    /// Writes a whole file, over what had its name. Lasting only once it is flushed.
    public static func write(_ content: some Sequence<UInt8>, to path: String) throws {
        let descriptor = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
        defer { descriptor.close() }
        try append(content, to: descriptor, path)
    }

    /// Writes a whole file that others read: they see what was there before or all that is new, and may not write to it.
    /// Not flushed: for what is written again soon.
    public static func replace(_ path: String, with content: some Sequence<UInt8>) throws {
        let unfinished = "\(path).new"
        do {
            try write(content, to: unfinished)
            // Whatever the process's mask for new files is.
            try systemCall("chmod \(unfinished)") { chmod(unfinished, 0o644) }
            try rename(unfinished, to: path)
        } catch {
            try? remove(unfinished)
            throw error
        }
    }

    /// Writes at the end of an open file; `path` is for the error.
    public static func append(
        _ content: some Sequence<UInt8>, to descriptor: FileDescriptor, _ path: String
    ) throws {
        let number = try descriptor.open()
        var rest = Array(content)[...]
        while !rest.isEmpty {
            let count = try systemCall("write \(path)") {
                rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes a directory and those above it that are missing, and flushes the entries that were made.
    public static func makeDirectory(_ path: String) throws {
        if try size(of: path) != nil { return }
        let parent = parent(of: path)
        if parent != path { try makeDirectory(parent) }
        do {
            try systemCall("mkdir \(path)") { mkdir(path, 0o750) }
        } catch let error as SystemError where error.code == EEXIST {
            return
        }
        try sync(parent)
    }

    /// Flushes a file's content, or a directory's entries, to the disk.
    public static func sync(_ path: String) throws {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY)
        defer { descriptor.close() }
        try sync(descriptor, path)
    }

    /// Flushes an open file; `path` is for the error.
    public static func sync(_ descriptor: FileDescriptor, _ path: String) throws {
        let number = try descriptor.open()
        try systemCall("fsync \(path)") { fsync(number) }
    }

    /// Makes a file of so many bytes, whose space is there for it.
    public static func allocate(_ path: String, _ size: Int) throws {
        let descriptor = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT)
        defer { descriptor.close() }
        let number = try descriptor.open()
        // Returns its error, instead of setting errno.
        let code = posix_fallocate(number, 0, size)
        guard code == 0 else { throw SystemError(code: code, call: "posix_fallocate \(path)") }
    }

    /// Gives a file another name on the same file system, replacing what had it. Lasting only once the
    /// directory is flushed.
    public static func rename(_ path: String, to newPath: String) throws {
        try systemCall("rename \(path)") { Glibc.rename(path, newPath) }
    }

    /// Removes a file if it is there.
    public static func remove(_ path: String) throws {
        do {
            try systemCall("unlink \(path)") { unlink(path) }
        } catch let error as SystemError where error.code == ENOENT {
            return
        }
    }

    /// Removes a file, or a directory with all that is in it. A symbolic link is removed, not followed.
    public static func removeTree(_ path: String) throws {
        do {
            try remove(path)
        } catch let error as SystemError where error.code == EISDIR {
            try forEachEntry(of: path) { try removeTree("\(path)/\($0)") }
            try systemCall("rmdir \(path)") { rmdir(path) }
        }
    }

    /// Makes a directory that nobody else has, for a while; without a parent where the environment says (`TMPDIR`).
    ///
    /// `inMemory` is for what need not outlive the process: where there is a file system in memory it is there, and
    /// flushing costs nothing.
    public static func makeTemporaryDirectory(
        prefix: String, in parent: String? = nil, inMemory: Bool = false
    ) throws -> String {
        let memory = inMemory && access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : nil
        let parent = parent ?? memory ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        try systemCall("mkdtemp \(parent)/\(prefix)-…") { mkdtemp(&template) == nil ? -1 : 0 }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Calls `body` with the name of each entry, one at a time, however many there are.
    public static func forEachEntry(of path: String, _ body: (String) throws -> Void) throws {
        guard let directory = opendir(path) else { throw SystemError(code: perch_errno(), call: "opendir \(path)") }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { try body(name) }
        }
    }

    /// The file that a path leads to, without links and dots.
    public static func target(of path: String) throws -> String {
        var resolved = [CChar](repeating: 0, count: Int(PATH_MAX))
        try systemCall("realpath \(path)") { realpath(path, &resolved) == nil ? -1 : 0 }
        return String(decoding: resolved.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `/var/lib/perch` → `/var/lib`; `perch` → `.`
    public static func parent(of path: String) -> String {
        var path = Substring(path)
        while path.count > 1 && path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
