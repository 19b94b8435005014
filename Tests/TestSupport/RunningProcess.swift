import CLinux
import DeviceRuntime
import Glibc

/// A program that a test starts, reads and ends.
public final class RunningProcess: Sendable {
    private let pid: pid_t
    private let output: FileDescriptor
    private let buffer = Protected<[UInt8]>([])
    private let status = Protected<Int32?>(nil)
    private let atExit: AtExit

    /// How long a line may take before the test fails instead of hanging. Nothing else depends on it.
    private static let patience: Int32 = 60_000

    /// Starts `command` with its standard output and error readable here; `inherited` becomes descriptor 3.
    public init(
        _ command: [String], environment: [String] = [], folder: String? = nil, inheriting inherited: Int32? = nil
    ) throws {
        var pipe: [Int32] = [0, 0]
        try systemCall("pipe2") { perch_pipe(&pipe) }
        output = FileDescriptor(taking: pipe[0])
        let input = FileDescriptor(taking: pipe[1])
        defer { input.close() }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 2)
        if let inherited { posix_spawn_file_actions_adddup2(&actions, inherited, 3) }
        // Some libraries' sockets are inheritable: a server that holds one would keep its connection open for ever.
        posix_spawn_file_actions_addclosefrom_np(&actions, inherited == nil ? 3 : 4)

        // A test runs on a thread that takes no signals, which the program would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw SystemError(code: code, call: "start \(command[0])") }
        self.pid = pid
        atExit = AtExit { [pid] in kill(pid, SIGKILL) }
    }

    deinit { if status.withLock({ $0 }) == nil { end(SIGKILL) } }

    /// The next line of its output; `nil` at the end. Throws `ETIMEDOUT` when it is silent for a minute.
    public func nextLine() throws -> String? {
        while true {
            let line: String? = buffer.withLock { buffer in
                guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            if let line { return line }
            let number = try output.open()
            var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let ready = try systemCall("poll") { poll(&wait, 1, Self.patience) }
            guard ready > 0 else { throw SystemError(code: ETIMEDOUT, call: "waiting for a line of process \(pid)") }
            var chunk = [UInt8](repeating: 0, count: 16 * 1024)
            let count = try systemCall("read") { read(number, &chunk, chunk.count) }
            if count == 0 { return nil }
            buffer.withLock { $0 += chunk[..<count] }
        }
    }

    /// Reads on until a line that contains `text`, and returns it. Throws ``EndedEarly`` with what it said instead.
    @discardableResult
    public func line(containing text: String) throws -> String {
        var seen: [String] = []
        while let line = try nextLine() {
            if line.contains(text) { return line }
            seen.append(line)
        }
        throw EndedEarly(expected: text, seen: seen.suffix(20).joined(separator: "\n"))
    }

    public struct EndedEarly: Error, CustomStringConvertible {
        public let expected: String
        public let seen: String
        public var description: String { "the program ended without saying '\(expected)'; it said:\n\(seen)" }
    }

    public func signal(_ number: Int32) { kill(pid, number) }

    /// Sends a signal and waits for the end. Returns the wait status as a shell would: 128 + the signal, or the exit
    /// code.
    @discardableResult
    public func end(_ number: Int32) -> Int32 {
        signal(number)
        return wait()
    }

    /// Waits for its end.
    @discardableResult
    public func wait() -> Int32 {
        if let known = status.withLock({ $0 }) { return known }
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0 && perch_errno() == EINTR {}
        let result = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
        status.withLock { $0 = result }
        atExit.forget()
        return result
    }

    /// Runs a program to its end and returns what it said and its exit code.
    public static func run(_ command: [String], environment: [String] = []) throws -> (lines: [String], code: Int32) {
        let process = try RunningProcess(command, environment: environment)
        var lines: [String] = []
        while let line = try process.nextLine() { lines.append(line) }
        return (lines, process.wait())
    }

    /// The program `perch` that was built with the tests: it lies beside them.
    public static var perch: String {
        get throws {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = try systemCall("readlink /proc/self/exe") { readlink("/proc/self/exe", &path, path.count) }
            return Files.parent(of: String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
                + "/perch"
        }
    }
}
