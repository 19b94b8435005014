public import DeviceKit
public import DeviceRuntime
import LinuxPeripherals
import Peripherals
import SimulatedPeripherals

/// A daemon as a process: its configuration file, signals, the service manager, and one daemon after the other
/// when the configuration changes.
///
/// A daemon of your own, with your drivers beside Perch's:
///
///     let process = DaemonProcess(
///         configurationPath: "/etc/porch.yaml", drivers: standardDrivers + [Lamp.driver],
///         stateDirectory: "/var/lib/porch", logger: Logger(JournalLogSink()))
///     try process.run()
public final class DaemonProcess: Sendable {
    private enum Request: Sendable {
        case stop
        /// Finished with what is wrong with the configuration, or `nil`.
        case reload(@Sendable (String?) -> Void = { _ in })
    }

    private let path: String
    private let drivers: [Driver]
    private let parts: [PartModel]
    private let boardName: String?
    private let stateDirectory: String
    private let visitInterval: Duration?
    private let recording: Recording?
    private let logger: Logger
    private let manager = ServiceManager()
    private let socketPath: String
    private let site = Protected<ControlSite?>(nil)
    private let requests: AsyncStream<Request>
    private let request: AsyncStream<Request>.Continuation

    /// `parts` are what devices find on a simulated board; `board` overrides the configuration's; `visitInterval` is about how often somebody comes by on the
    /// simulated one, and `nil` for never; `socketPath` is where `perch status` asks. With a `recording`, it ends when that
    /// is over, and the configuration is not read again.
    public init(
        configurationPath: String, drivers: [Driver] = standardDrivers, parts: [PartModel] = standardParts,
        board: String? = nil, stateDirectory: String,
        socketPath: String? = nil, visitInterval: Duration? = nil, recording: Recording? = nil, logger: Logger
    ) {
        path = configurationPath
        self.drivers = drivers
        self.parts = parts
        boardName = board
        self.stateDirectory = stateDirectory
        self.socketPath = socketPath ?? ControlSocket.path(stateDirectory: stateDirectory)
        self.visitInterval = visitInterval
        self.recording = recording
        self.logger = logger
        (requests, request) = AsyncStream.makeStream()
    }

    /// Runs until SIGTERM or SIGINT; SIGHUP reads the configuration again.
    ///
    /// Throws `SystemError` when the file cannot be read or the recording not be written, ``ConfigurationError`` when it
    /// is wrong, and what keeps a daemon from starting: no such board, no place for the outbox, a missing credential.
    public func run() throws {
        let first = try Configuration.read(path, drivers: drivers)
        let recording = try recording.map { try RunningRecording($0) }
        let loop = try recording?.loop ?? EventLoop()
        try loop.run { [self] in
            let watch = try SignalWatch(loop: loop) { [request] in request.yield($0 == .hangUp ? .reload() : .stop) }
            defer { watch.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [manager] in try await manager.feedWatchdog(on: loop) }
                let server = ControlServer(path: socketPath, verbs: controlVerbs, loop: loop, logger: logger)
                group.addTask { [site] in await server.run { site.withLock { $0 } } }
                if let recording { group.addTask { [request] in await recording.run { request.yield(.stop) } } }
                defer { group.cancelAll() }
                var next: Configuration? = first
                while let configuration = next { next = try await run(configuration, loop, recording) }
            }
            try await recording?.finish()
        }
    }

    /// Runs one daemon, and returns the configuration of the one that is to follow; `nil` at the end.
    private func run(
        _ configuration: Configuration, _ loop: EventLoop, _ recording: RunningRecording?
    ) async throws -> Configuration? {
        let (board, world) = try makeBoard(configuration, loop)
        let environment = Daemon.Environment(
            loop: loop, board: recording?.begin(on: board) ?? board, stateDirectory: stateDirectory,
            wallClock: .system(on: loop), logger: logger, makeBackend: StorageKind.makeStandardBackend)
        let daemon = try Daemon(configuration, environment)
        let next = Protected<Configuration?>(nil)
        let control = ControlSite(
            configuration: configuration, daemon: daemon, board: board.name, world: world, loop: loop,
            wallClock: environment.wallClock, start: loop.now,
            reload: { [self] in try await reload() })
        let told = recording.map { recording in daemon.devices.observe { recording.note($0) } }
        defer { told?.cancel() }
        try await daemon.run { [self] in
            site.withLock { $0 = control }
            defer { site.withLock { $0 = nil } }
            logger.notice("running", ["device": configuration.name, "board": board.name, "configuration": path])
            manager.ready(daemon.devices.summary)
            let observation = daemon.devices.observe { [manager, devices = daemon.devices] change in
                switch change {
                case .health, .fault: manager.status(devices.summary)
                case .event, .state, .asked, .command, .devices: break
                }
            }
            defer { observation.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let world, let visitInterval {
                    group.addTask { try await world.receiveVisitors(every: visitInterval) }
                }
                if let page = configuration.page {
                    let server = try Page(page, control, logger: self.logger)
                    group.addTask { await server.run(port: page.port) }
                }
                if let metrics = configuration.metrics {
                    group.addTask { try await metrics.keep(control, logger: self.logger) }
                }
                defer { group.cancelAll() }
                let follower = try await serve(daemon, canChange: world == nil)
                next.withLock { $0 = follower }
                recording?.noteStop()
            }
        }
        logger.notice("stopped", ["device": configuration.name])
        return next.withLock { $0 }
    }

    /// Does what is asked until the daemon has to end, and returns the configuration of the one that follows it.
    private func serve(_ daemon: Daemon, canChange: Bool) async throws -> Configuration? {
        for await request in requests {
            guard case .reload(let reply) = request else { break }
            guard recording == nil else {
                let refusal = "the configuration is not read again: a recording goes on with what it began with"
                logger.warning(refusal)
                reply(refusal)
                continue
            }
            manager.reloading()
            defer { manager.ready(daemon.devices.summary) }
            do {
                let configuration = try Configuration.read(path, drivers: drivers)
                // A simulated board is made with the parts of its devices, so it comes anew with them.
                guard canChange, try await daemon.apply(configuration) else {
                    reply(nil)
                    return configuration
                }
                site.withLock { $0?.configuration = configuration }
                logger.notice("the changed configuration applies", ["configuration": path])
                reply(nil)
            } catch  where !(error is CancellationError) {
                logger.error("the configuration is refused; the one that runs stays", ["errors": "\(error)"])
                reply("\(error)")
            }
        }
        manager.stopping()
        return nil
    }

    /// Has the configuration read again, and returns what is wrong with it, or `nil`.
    private func reload() async throws -> String? {
        let errors = Protected<String?>(nil)
        let done = Waiter()
        request.yield(
            .reload { text in
                errors.withLock { $0 = text }
                done.finish()
            })
        try await done.wait()
        return errors.withLock { $0 }
    }

    private func makeBoard(_ configuration: Configuration, _ loop: EventLoop) throws -> (any Board, SimulatedWorld?) {
        let name = boardName ?? configuration.board
        if name == "simulated" {
            let board = SimulatedBoard(loop: loop, names: configuration.simulatedNames)
            board.trace.observe { [logger] entry in
                if !entry.isWire { logger.info(entry.text, ["source": entry.source]) }
            }
            return (board, try SimulatedWorld(configuration, on: board, models: parts))
        }
        let profile = boardName == nil ? configuration.boardProfile : nil
        return (LinuxBoard(try profile ?? BoardProfile.named(name), loop: loop), nil)
    }
}
