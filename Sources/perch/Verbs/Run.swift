import DeviceDaemon
import DeviceRuntime

extension Verb {
    static let run = Verb(
        name: "run", summary: "runs the device until SIGTERM; SIGHUP reads the configuration again",
        flags: [
            ConfigurationFile.flag,
            Flag(name: "board", value: "NAME", summary: "overrides the configuration's board, as in --board simulated"),
            StateDirectory.flag,
            Visitors.flag,
            Flag(name: "verbose", letter: "v", summary: "log every event and command"),
        ]
    ) { arguments in
        let path = arguments["config"] ?? ConfigurationFile.defaultPath
        let configuration = try ConfigurationFile.read(path)
        let logger = Logger(
            JournalLogSink.isConnected ? JournalLogSink() : TextLogSink(),
            level: arguments.has("verbose") ? .debug : .info)
        let process = DaemonProcess(
            configuration: path, board: arguments["board"], stateDirectory: StateDirectory.resolve(arguments),
            visitInterval: try Visitors.interval(arguments), logger: logger)
        try process.run(configuration)
        return .success
    }
}
