import DeviceRuntime
import Glibc

extension Verb {
    /// Hands over to journalctl, which knows how to find, follow and page what the service has said.
    static let logs = Verb(
        name: "logs",
        summary: """
            shows what the service has said, from systemd's journal
            Ends with 69 where there is no journal: what a perch says that you start yourself goes to standard error.
            """,
        flags: [
            Flag(name: "follow", letter: "f", summary: "go on with what it says from now on"),
            Flag(name: "device", value: "NAME", summary: "only of this device"),
            Flag(name: "storage", value: "NAME", summary: "only of this storage"),
            Flag(name: "problems", letter: "p", summary: "only warnings and errors"),
            Flag(name: "since", value: "TIME", summary: "as journalctl takes it: '1 hour ago', yesterday, 2026-03-01"),
            Flag(
                name: "lines", letter: "n", value: "N", summary: "how many lines at most (default: 200, or all --since)"
            ),
            Flag(name: "unit", value: "NAME", summary: "the service's unit (default: perch)"),
        ]
    ) { arguments in
        let command = JournalCommand(arguments)
        var words = command.words.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // Returns only if it fails.
        execvp(command.words[0], &words)
        throw CommandFailure(
            .unavailable,
            "perch logs: there is no journalctl here, so no journal of systemd; what perch says goes to standard error: "
                + "perch run … 2>>FILE keeps it"
        )
    }
}

/// The call of journalctl that shows what is asked for.
struct JournalCommand {
    let words: [String]

    init(_ arguments: Arguments) {
        var words = ["journalctl", "--unit", arguments["unit"] ?? "perch", "--output", "short", "--no-hostname"]
        let lines = arguments["lines"] ?? (arguments["since"] == nil ? "200" : "all")
        words += ["--lines", lines]
        if arguments.has("follow") { words.append("--follow") }
        if arguments.has("problems") { words += ["--priority", "warning"] }
        if let since = arguments["since"] { words += ["--since", since] }
        // The fields of the log's entries (JournalLogSink): device and backend.
        if let device = arguments["device"] { words.append("PERCH_DEVICE=\(device)") }
        if let storage = arguments["storage"] { words.append("PERCH_BACKEND=\(storage)") }
        self.words = words
    }
}
