internal import CLinux
internal import DeviceRuntime
internal import Glibc

/// A program in a process group of its own, so that it and what it started can be ended together.
///
/// Unchecked: used on the loop's thread only.
final class ChildProcess: @unchecked Sendable {
    enum Status: Equatable, CustomStringConvertible {
        case exited(Int32)
        case killed(signal: Int32)

        var description: String {
            switch self {
            case .exited(let code): "ended with status \(code)"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        }
    }

    private let process: pid_t
    private let handle: FileDescriptor
    private let messages: MessageTail
    private let ended = Waiter()
    private var watch: DescriptorWatch?
    private var isReaped = false

    /// Starts the program, found by PATH. Its standard input is empty, its output goes into `output`, the writing end of
    /// a pipe, or is thrown away; of its messages the last ones are kept. Throws ``SystemError``.
    init(_ arguments: [String], output: FileDescriptor? = nil, loop: EventLoop) throws {
        var ends: [Int32] = [0, 0]
        try systemCall("pipe2") { perch_pipe(&ends) }
        let reading = FileDescriptor(taking: ends[0])
        let writing = FileDescriptor(taking: ends[1])
        messages = try MessageTail(reading, loop: loop)
        process = try spawn(arguments, messages: try writing.open(), output: try output?.open())
        writing.close()
        let process = process
        do {
            handle = FileDescriptor(taking: try systemCall("pidfd_open") { perch_pidfd_open(process) })
            watch = try loop.watch(try handle.open()) { [ended] _ in ended.finish() }
        } catch {
            _ = reap(process)
            messages.close()
            throw error
        }
    }

    /// Ends the program and all that is left of its group.
    func kill() {
        if !isReaped { _ = Glibc.kill(-process, SIGKILL) }
    }

    /// Waits until the program has ended, and ends what it left behind. Does not itself notice cancellation: who
    /// cancels also calls ``kill()``. Once only.
    func end() async -> (status: Status, lastLine: String?) {
        try? await ended.value()
        watch?.cancel()
        handle.close()
        let status = reap(process)
        isReaped = true
        return (status, messages.close())
    }
}

/// Ends a process's group while the process, ended or not, still keeps the number from anybody else, and takes its
/// status.
private func reap(_ process: pid_t) -> ChildProcess.Status {
    _ = Glibc.kill(-process, SIGKILL)
    var raw: Int32 = 0
    _ = try? systemCall("waitpid") { waitpid(process, &raw, 0) }
    // WIFEXITED and WEXITSTATUS are macros.
    let signal = raw & 0x7F
    return signal == 0 ? .exited((raw >> 8) & 0xFF) : .killed(signal: signal)
}

private func spawn(_ arguments: [String], messages: Int32, output: Int32?) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
        posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, messages, 2)
    // Some libraries' sockets are inheritable: a camera that holds one would keep a broker from seeing the board go.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    // The daemon blocks and ignores signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, perch_environment())
    guard code == 0 else { throw SystemError(code: code, call: "run \(arguments[0])") }
    return process
}
