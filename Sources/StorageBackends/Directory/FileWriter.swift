internal import CaptureStore
internal import DeviceRuntime
internal import Glibc

/// Writes one object into a directory, so that it is there completely or not at all.
struct FileWriter {
    let root: String
    let conditions: DirectoryConditions
    let cancellation: Cancellation

    /// Between two looks for a cancellation: a slow card writes this much in a few milliseconds.
    private static let chunk = 64 * 1024

    func store(_ object: StoredObject) throws {
        let segments = object.name.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = segments.last,
            segments.allSatisfy({ !["", ".", ".."].contains($0) && !$0.utf8.contains(0) })
        else {
            throw StorageError(.permanent, "\(root): the name '\(object.name)' leads out of it")
        }
        let folder = ([root[...]] + segments.dropLast()).joined(separator: "/")
        let path = "\(folder)/\(last)"
        // In the same folder, so that renaming does not copy; the same each time, so that what a crash left
        // behind is written over.
        let unfinished = "\(folder)/.\(last).part"
        try cancellation.check()
        try conditions.checkMount(root)
        try Files.makeDirectory(folder)
        try conditions.checkRoom(for: object.size, in: folder)
        do {
            try write(object.body, to: unfinished)
            try Files.rename(unfinished, to: path)
        } catch {
            try? Files.remove(unfinished)
            throw error
        }
        try Files.sync(folder)
    }

    private func write(_ body: StoredObject.Body, to path: String) throws {
        let target = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o640)
        defer { target.close() }
        switch body {
        case .bytes(let bytes):
            try bytes.withUnsafeBytes { try append($0, to: target) }
        case .file(let source, let size):
            try copy(source, size: size, to: target)
        }
        try Files.sync(target, path)
    }

    private func copy(_ path: String, size: Int, to target: FileDescriptor) throws {
        let source = try FileDescriptor(opening: path, flags: O_RDONLY)
        defer { source.close() }
        let number = try source.open()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var copied = 0
        while true {
            try cancellation.check()
            let count = try systemCall("read \(path)") { read(number, buffer.baseAddress, buffer.count) }
            if count == 0 { break }
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
            copied += count
        }
        guard copied == size else {
            throw StorageError(.temporary(retryAfter: nil), "\(path) has \(copied) bytes instead of \(size)")
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to target: FileDescriptor) throws {
        let number = try target.open()
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try systemCall("write") {
                Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            }
            rest = rest.dropFirst(count)
        }
    }
}
