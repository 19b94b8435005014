import CLinux
import DeviceRuntime
import Glibc

/// Starts a program with nothing open but the null device, and `descriptor` as number 3.
func spawn(_ command: [String], environment: [String] = [], inheriting descriptor: Int32? = nil) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in 0...2 as ClosedRange<Int32> {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
    var arguments = command.map { strdup($0) }
    arguments.append(nil)
    var variables = environment.map { strdup($0) }
    variables.append(nil)
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, command[0], &actions, nil, arguments, variables)
    guard code == 0 else { throw SystemError(code: code, call: "start \(command[0]) (make test-storage installs it)") }
    return pid
}
