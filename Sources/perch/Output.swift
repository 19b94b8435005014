import Glibc

/// Standard output and standard error.
enum Output {
    static func print(_ text: String) { Swift.print(text) }

    /// For what somebody waits for who reads along.
    static func printNow(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func printError(_ text: String) {
        // What was printed before comes before.
        fflush(nil)
        let line = Array((text + "\n").utf8)
        _ = write(2, line, line.count)
    }

    static func exit(with code: ExitCode) -> Never {
        fflush(nil)
        Glibc.exit(code.number)
    }
}
