import DeviceRuntime
import Glibc

/// A directory that is there for the length of a test.
public final class TemporaryDirectory: Sendable {
    public let path: String
    private let atExit: AtExit

    /// One in memory is for tests that write much; what they write cannot survive anything anyway.
    public init(inMemory: Bool = false) throws {
        let path = try Files.makeTemporaryDirectory(prefix: "perch-test", inMemory: inMemory)
        self.path = path
        atExit = AtExit { try? Files.removeTree(path) }
    }

    deinit {
        try? Files.removeTree(path)
        atExit.forget()
    }

    /// The names in a directory below this one.
    public func files(in name: String) throws -> [String] {
        var names: [String] = []
        try Files.forEachEntry(of: "\(path)/\(name)") { names.append($0) }
        return names.sorted()
    }

    /// The files at any depth, by their paths from here, sorted.
    public func tree() throws -> [String] {
        func below(_ name: String) throws -> [String] {
            let full = name.isEmpty ? path : "\(path)/\(name)"
            guard let entries = try? files(in: name) else { return [String(full.dropFirst(path.count + 1))] }
            return try entries.flatMap { try below(name.isEmpty ? $0 : "\(name)/\($0)") }
        }
        return try below("").sorted()
    }

    /// Makes a directory below this one, and those above it.
    public func makeDirectory(_ name: String) throws { try Files.makeDirectory("\(path)/\(name)") }

    /// Writes a file, in a directory below this one that is made if it is missing.
    public func write(_ text: String, to name: String) throws {
        try Files.makeDirectory(Files.parent(of: "\(path)/\(name)"))
        try TestSupport.write(Array(text.utf8), to: "\(path)/\(name)")
    }

    /// A copy of the files as they are: what a killed process leaves behind.
    public func copy(inMemory: Bool = false) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory(inMemory: inMemory)
        try copyTree(path, copy.path)
        return copy
    }
}

private func copyTree(_ source: String, _ target: String) throws {
    try Files.forEachEntry(of: source) { name in
        if opendir("\(source)/\(name)").map({ closedir($0) }) != nil {
            try Files.makeDirectory("\(target)/\(name)")
            try copyTree("\(source)/\(name)", "\(target)/\(name)")
        } else {
            try TestSupport.write(Files.read("\(source)/\(name)"), to: "\(target)/\(name)")
        }
    }
}

/// Writes a file.
public func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
    defer { descriptor.close() }
    let number = try descriptor.open()
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = try systemCall("write") { rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } }
        rest = rest.dropFirst(count)
    }
}
