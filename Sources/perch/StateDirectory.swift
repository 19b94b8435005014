import Glibc

/// Where the outbox lives.
enum StateDirectory {
    static let flag = Verb.Flag(
        name: "state", value: "DIR", summary: "the state directory (default: $STATE_DIRECTORY, else /var/lib/perch)")

    /// The flag, else what systemd says (`StateDirectory=`), else the place of the package.
    static func resolve(_ arguments: Arguments) -> String {
        arguments["state"] ?? getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/var/lib/perch"
    }
}
