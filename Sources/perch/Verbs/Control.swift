import DeviceDaemon
import DeviceRuntime
import Glibc

// The verbs that ask the running daemon, which answers them itself (Sources/DeviceDaemon/Control).

extension Verb {
    static let status = controlVerb(
        "status",
        """
        how the running device does
        Ends, for monitoring, with 0 if all is well; with 1 if a device fails or its part is faulty, if the disk
        takes no captures, if uploads to a storage fail, or if one has rejected records; with 69 if it does not run, and 77 without permission to ask.
        """,
        flags: [Flag(name: "json", summary: "one object on one line, for programs")])

    static let metrics = controlVerb(
        "metrics", "what the running device counts, as text for Prometheus; ends with 69 if it does not run")

    static let send = controlVerb(
        "send", "lets a part of the running device do something: `perch send sign show HELLO`",
        operands: "DEVICE COMMAND [ARGUMENT | NAME=ARGUMENT]…")

    static let events = controlVerb(
        "events", "shows what happens on the running device, as it happens",
        flags: [Flag(name: "json", summary: "one object a line, for programs")])

    static let reload = controlVerb("reload", "lets the running device apply its changed configuration")

    static let sim = controlVerb(
        "sim", "plays the world around a simulated board that runs: `perch sim press bell`, `perch sim show`",
        operands: "[show | STIMULUS DEVICE [ARGUMENT | NAME=ARGUMENT]… | fault FAULT]")

    private static func controlVerb(
        _ name: String, _ summary: String, operands: String = "", flags: [Flag] = []
    ) -> Verb {
        Verb(name: name, summary: summary, operands: operands, flags: flags + [socketFlag, StateDirectory.flag]) {
            arguments in
            let switches = flags.filter { arguments.has($0.name) }.map { "--\($0.name)" }
            return try ask([name] + switches + arguments.operands, at: socketPath(arguments), verb: name)
        }
    }

    static let socketFlag = Flag(
        name: "socket", value: "PATH", summary: "the daemon's control socket (default: where the service has it)")

    /// The one that is named; else the service's, unless a state directory says that it is not about the service.
    static func socketPath(_ arguments: Arguments) -> String {
        if let path = arguments["socket"] { return path }
        if arguments["state"] == nil, access(ControlSocket.servicePath, F_OK) == 0 { return ControlSocket.servicePath }
        return ControlSocket.path(stateDirectory: StateDirectory.resolve(arguments))
    }

    static func ask(_ words: [String], at path: String, verb: String) throws -> ExitCode {
        do {
            let status = try ControlSocket.ask(words, at: path) { line, isError in
                if isError { Output.printError(line) } else { Output.printNow(line) }
            }
            guard let status else { throw CommandFailure(.unavailable, "perch \(verb): the daemon ended meanwhile") }
            return ExitCode(number: status)
        } catch let error as SystemError where [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.code) {
            throw CommandFailure(
                .unavailable,
                "perch \(verb): no perch runs that listens at \(path); start it, or name its state directory with --state"
            )
        } catch let error as SystemError where error.code == EACCES {
            throw CommandFailure(
                .permission, "perch \(verb): no permission for \(path); run this as root or as perch's user")
        }
    }
}
