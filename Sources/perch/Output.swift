import Glibc

/// Standard output and standard error.
enum Output {
    static func print(_ text: String) { write(text, to: stdout) }

    static func printError(_ text: String) {
        fflush(stdout)
        write(text, to: stderr)
    }

    private static func write(_ text: String, to file: UnsafeMutablePointer<FILE>?) {
        guard let file else { return }
        fputs(text, file)
        fputs("\n", file)
    }

    /// Ends the program. A reader that went away (`perch drivers | head`) is not a failure.
    static func exit(with code: ExitCode) -> Never {
        fflush(stdout)
        Glibc.exit(code.number)
    }
}
