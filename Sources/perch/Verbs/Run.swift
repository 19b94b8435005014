import CaptureStore
import DeviceDaemon
import DeviceRuntime
import Peripherals

extension Verb {
    static let run = Verb(
        name: "run", summary: "runs the device until SIGTERM; SIGHUP reads the configuration again",
        flags: [
            ConfigurationFile.flag,
            Flag(name: "board", value: "NAME", summary: "overrides the configuration's board, as in --board simulated"),
            StateDirectory.flag,
            Flag(
                name: "socket", value: "PATH",
                summary: "the control socket (default: $RUNTIME_DIRECTORY/control, else in the state directory)"),
            Visitors.flag,
            Flag(name: "verbose", letter: "v", summary: "log every event and command"),
        ]
    ) { arguments in
        let path = arguments["config"] ?? ConfigurationFile.defaultPath
        let process = DaemonProcess(
            configurationPath: path, board: arguments["board"], stateDirectory: StateDirectory.resolve(arguments),
            socketPath: arguments["socket"],
            visitInterval: try arguments["visitors"].map { _ in try Visitors.interval(arguments) },
            logger: Logger(
                JournalLogSink.isConnected ? JournalLogSink() : TextLogSink(),
                level: arguments.has("verbose") ? .debug : .info))
        do {
            try ConfigurationFile.explaining(path) { try process.run() }
            return .success
        } catch let error as PeripheralError {
            throw CommandFailure(error.code == .permissionDenied ? .permission : .unavailable, "perch run: \(error)")
        } catch let error as OutboxError {
            throw CommandFailure(.unavailable, "perch run: \(error)")
        }
    }
}
