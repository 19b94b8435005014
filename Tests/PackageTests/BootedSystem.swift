import CLinux
import DeviceRuntime
import FoundationEssentials
import Glibc
import TestSupport

/// A Debian with the package installed, booted with systemd on the real kernel, once for all tests.
final class BootedSystem: Sendable {
    static let shared = Result { try BootedSystem() }

    /// Says what was run and what came of it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: TemporaryDirectory
    private let process: RunningProcess
    private let input: FileDescriptor
    private let log: String

    private init() throws {
        folder = try TemporaryDirectory()
        let image = "\(folder.path)/disk"
        log = "\(folder.path)/console.log"
        try DebianPackage.shell(
            """
            cd "$FOLDER"
            \(DebianPackage.nextVersion)
            "$PROJECT/Tests/Boot/image" "$DEB" "$FOLDER/disk" next.deb "$PROJECT/Tests/Boot/helpers"
            """, ["FOLDER=\(folder.path)"])
        var pipe: [Int32] = [0, 0]
        try systemCall("pipe2") { perch_pipe(&pipe) }
        let output = FileDescriptor(taking: pipe[0])
        input = FileDescriptor(taking: pipe[1])
        defer { output.close() }
        process = try RunningProcess(
            ["\(DebianPackage.project)/Tests/Boot/start", image, log],
            environment: ["HOME=\(String(cString: getenv("HOME")))", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
            inheriting: try output.open())
        try process.line(containing: "ready")
    }

    /// Runs a script in the system and returns what it said; what is in Tests/Boot/helpers comes before. Throws unless it ends well.
    @discardableResult
    func run(_ script: String) throws -> String {
        let (text, code) = try ask(script)
        guard code == 0 else {
            let journal = try? ask("journalctl --no-pager -u perch -n 15 -o cat").text
            throw Failure(description: "\(script)\nended with \(code):\n\(text)\n\nits journal:\n\(journal ?? "")")
        }
        return text
    }

    private func ask(_ script: String) throws -> (text: String, code: Int32) {
        let line = Data(". /helpers\n\(script)".utf8).base64EncodedString() + "\n"
        let number = try input.open()
        try Array(line.utf8).withUnsafeBytes { bytes in
            _ = try systemCall("write") { write(number, bytes.baseAddress, bytes.count) }
        }
        guard let answer = try answer() else {
            throw Failure(description: "the system is gone; the end of its console:\n\(console)")
        }
        let words = answer.filter { $0 != "\r" }.split(separator: " ")
        guard let code = words.first.flatMap({ Int32($0) }) else {
            throw Failure(description: "the system answered '\(answer)'; the end of its console:\n\(console)")
        }
        let output = words.count > 1 ? Data(base64Encoded: String(words[1])) : nil
        return (String(decoding: output ?? Data(), as: UTF8.self), code)
    }

    /// The next line but for those that say that the system is there.
    private func answer() throws -> String? {
        while let line = try process.nextLine() {
            if !line.hasPrefix(".") { return line }
        }
        return nil
    }

    private var console: String {
        String(decoding: ((try? Files.read(log)) ?? []).suffix(2000), as: UTF8.self)
    }
}
