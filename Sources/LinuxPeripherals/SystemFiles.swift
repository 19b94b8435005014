internal import CLinux
internal import DeviceRuntime
internal import Glibc

/// The few things that device nodes and sysfs are asked for. All throw ``SystemError``.
enum SystemFiles {
    /// The names in a folder that begin with `prefix`, in the order of their numbers. A folder that does not
    /// exist is empty. Symbolic links are left out if asked for: `/dev/gpiochip4` is one to `gpiochip0` on a
    /// Raspberry Pi 5, and would show the chip twice.
    static func names(in folder: String, prefix: String, withLinks: Bool = true) throws -> [String] {
        guard let directory = opendir(folder) else {
            let code = perch_errno()
            if code == ENOENT { return [] }
            throw SystemError(code: code, call: "opendir \(folder)")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isLink = entry.pointee.d_type == UInt8(DT_LNK)
            if name.hasPrefix(prefix), withLinks || !isLink { names.append(name) }
        }
        return names.inNumericOrder()
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A small file's text, without the white space and NULs at its end.
    static func text(of path: String) throws -> String {
        let file = try FileDescriptor(opening: path, flags: O_RDONLY)
        let number = try file.open()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try systemCall("read \(path)") { read(number, &bytes, bytes.count) }
        let end = bytes[..<count].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Writes a sysfs attribute: one write, whose error is the driver's answer.
    static func write(_ text: String, to path: String) throws {
        let file = try FileDescriptor(opening: path, flags: O_WRONLY)
        let number = try file.open()
        let bytes = Array(text.utf8)
        try systemCall("write \(path)") { Glibc.write(number, bytes, bytes.count) }
    }

    /// The path without symbolic links; `nil` when there is no such file.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The last component of what a symbolic link points to.
    static func linkTarget(_ path: String) throws -> String {
        var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try systemCall("readlink \(path)") { readlink(path, &characters, characters.count) }
        let target = String(decoding: characters[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.split(separator: "/").last.map(String.init) ?? target
    }
}

extension Sequence<String> {
    /// `GPIO2` before `GPIO10`.
    func inNumericOrder() -> [String] {
        sorted { left, right in
            left.utf8.count == right.utf8.count ? left < right : left.utf8.count < right.utf8.count
        }
    }
}
