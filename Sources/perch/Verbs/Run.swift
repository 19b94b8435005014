import CaptureStore
import DeviceDaemon
import DeviceRuntime
import Peripherals

extension Verb {
    static let run = Verb(
        name: "run", summary: "runs the device until SIGTERM; SIGHUP reads the configuration again",
        flags: DaemonVerb.flags
    ) { arguments in
        try DaemonVerb.run(arguments, name: "run")
        return .success
    }
}

/// Running a daemon, for the verbs that do.
enum DaemonVerb {
    static let flags = [
        ConfigurationFile.flag,
        Verb.Flag(
            name: "board", value: "NAME", summary: "overrides the configuration's board, as in --board simulated"),
        StateDirectory.flag,
        Verb.Flag(
            name: "socket", value: "PATH",
            summary: "the control socket (default: $RUNTIME_DIRECTORY/control, else in the state directory)"),
        Visitors.flag,
        Verb.Flag(name: "verbose", letter: "v", summary: "log every event and command"),
    ]

    static func run(_ arguments: Arguments, name: String, recording: Recording? = nil) throws {
        let path = arguments["config"] ?? ConfigurationFile.defaultPath
        let process = DaemonProcess(
            configurationPath: path, board: arguments["board"], stateDirectory: StateDirectory.resolve(arguments),
            socketPath: arguments["socket"],
            visitInterval: try arguments["visitors"].map { _ in try Visitors.interval(arguments) },
            recording: recording,
            logger: Logger(
                LimitedLogSink(JournalLogSink.isConnected ? JournalLogSink() : TextLogSink() as any LogSink),
                level: arguments.has("verbose") ? .debug : .info))
        do {
            try ConfigurationFile.explaining(path) { try process.run() }
        } catch let error as PeripheralError {
            throw CommandFailure(
                error.code == .permissionDenied ? .permission : .unavailable, "perch \(name): \(error)")
        } catch let error as OutboxError {
            throw CommandFailure(.unavailable, "perch \(name): \(error)")
        }
    }
}
