import DeviceRuntime
import Glibc

/// The socket by which a running daemon is asked and told things: where it lies, and what goes over it.
///
/// A request is the words of a command line, each ended by a zero byte. The answer is lines that begin with what they are
/// for: `o ` for standard output, `e ` for standard error, and last `x ` with the exit status. So `perch status` is as
/// new as the daemon that it asks.
public enum ControlSocket {
    /// Far above any command; what is longer is not one.
    static let requestLimit = 64 * 1024

    /// Where a daemon makes it: in systemd's `RuntimeDirectory=`, else in the state directory.
    public static func path(stateDirectory: String) -> String {
        (getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? stateDirectory) + "/control"
    }

    /// Where the service has it.
    public static let servicePath = "/run/perch/control"

    static func encode(_ words: [String]) -> [UInt8] { words.flatMap { Array($0.utf8) + [0] } }

    static func decode(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Asks the daemon that listens at `path`, hands on each line of the answer (and whether it is an error) as it
    /// comes, and returns the exit status; `nil` if the daemon ended before its answer did.
    ///
    /// Throws `SystemError`: `ENOENT` or `ECONNREFUSED` when no daemon runs, `EACCES` without the right to ask.
    public static func ask(
        _ words: [String], at path: String, _ body: (_ line: String, _ isError: Bool) -> Void
    ) throws -> Int32? {
        let client = try LocalClient(connectingTo: path)
        try client.send(encode(words))
        var status: Int32?
        try client.forEachLine { line in
            let text = String(line.dropFirst(2))
            switch line.prefix(2) {
            case "o ": body(text, false)
            case "e ": body(text, true)
            case "x ": status = Int32(text)
            default: break
            }
        }
        return status
    }
}

/// The answer to a request, while it is being given.
struct ControlAnswer: Sendable {
    /// Takes `o`, `e` or `x`, and a text.
    private let write: @Sendable (String, String) async throws -> Void

    init(_ write: @escaping @Sendable (String, String) async throws -> Void) { self.write = write }

    init(connection: LocalConnection) {
        self.init { kind, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\(kind) \($0)\n" }
            try await connection.write(Array(lines.joined().utf8))
        }
    }

    /// Throws when whoever asked has gone.
    func print(_ text: String) async throws { try await write("o", text) }

    func printError(_ text: String) async throws { try await write("e", text) }

    func end(_ status: Int32) async throws { try await write("x", "\(status)") }
}

/// Why something that was asked for is not done, with a status of sysexits.h.
struct ControlFailure: Error {
    let status: Int32
    let message: String

    /// The command is wrong (EX_USAGE).
    static func usage(_ message: String) -> ControlFailure { ControlFailure(status: 64, message: message) }
    /// What is asked for is not possible now (EX_UNAVAILABLE).
    static func unavailable(_ message: String) -> ControlFailure { ControlFailure(status: 69, message: message) }
}
