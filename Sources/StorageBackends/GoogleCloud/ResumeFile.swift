internal import DeviceRuntime
internal import Glibc

/// A note of the upload that is under way, for the case that the daemon stops meanwhile. What cannot be written or read
/// only costs sending again, so nothing here fails.
struct ResumeFile: Sendable {
    /// `nil` for no notes.
    let path: String?

    /// The session of an object, by the words that say which it is.
    func session(of name: String) -> String? {
        guard let path, let content = try? Files.read(path) else { return nil }
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == name else { return nil }
        return String(lines[1])
    }

    /// Readable for the owner alone: who has the session's address can write to it.
    func note(_ name: String, session: String) {
        guard let path else { return }
        let content = Array("\(name)\n\(session)\n".utf8)
        let unfinished = "\(path).new"
        do {
            try Files.makeDirectory(Files.parent(of: path))
            let descriptor = try FileDescriptor(opening: unfinished, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
            defer { descriptor.close() }
            let number = try descriptor.open()
            let count = try systemCall("write") { write(number, content, content.count) }
            guard count == content.count else { return }
            try Files.rename(unfinished, to: path)
        } catch {
            try? Files.remove(unfinished)
        }
    }

    func clear() {
        guard let path else { return }
        try? Files.remove(path)
    }
}
