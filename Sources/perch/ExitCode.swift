/// How a command ended, in the numbers of sysexits.h, so that scripts and systemd can tell.
struct ExitCode: Sendable, Equatable {
    let number: Int32

    static let success = ExitCode(number: 0)
    /// Anything that has no better number.
    static let failure = ExitCode(number: 1)
    /// The command line is wrong (EX_USAGE).
    static let usage = ExitCode(number: 64)
    /// Data that cannot be read (EX_DATAERR).
    static let data = ExitCode(number: 65)
    /// Something that is needed is not there: a board, a device node (EX_UNAVAILABLE).
    static let unavailable = ExitCode(number: 69)
    /// No permission (EX_NOPERM).
    static let permission = ExitCode(number: 77)
    /// The configuration is wrong (EX_CONFIG).
    static let configuration = ExitCode(number: 78)

    /// For the manual.
    static let meanings: [(ExitCode, String)] = [
        (.success, "all is well"), (.failure, "something that has no better number"),
        (.usage, "the command line is wrong"), (.data, "data that cannot be read"),
        (.unavailable, "something that is needed is not there: a board, a running daemon"),
        (.permission, "no permission"), (.configuration, "the configuration is wrong"),
    ]
}

/// An error that ends a command with a message and a code.
struct CommandFailure: Error {
    let code: ExitCode
    /// Goes to standard error as it is.
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
