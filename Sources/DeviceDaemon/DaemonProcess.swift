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
        case reload
    }

    private let path: String
    private let drivers: [Driver]
    private let boardName: String?
    private let stateDirectory: String
    private let visitInterval: Duration
    private let logger: Logger
    private let manager = ServiceManager()
    private let requests: AsyncStream<Request>
    private let request: AsyncStream<Request>.Continuation

    /// `board` overrides the configuration's; `visitInterval` is about how often somebody comes by on the
    /// simulated one.
    public init(
        configurationPath: String, drivers: [Driver] = standardDrivers, board: String? = nil, stateDirectory: String,
        visitInterval: Duration = .seconds(600), logger: Logger
    ) {
        path = configurationPath
        self.drivers = drivers
        boardName = board
        self.stateDirectory = stateDirectory
        self.visitInterval = visitInterval
        self.logger = logger
        (requests, request) = AsyncStream.makeStream()
    }

    /// Runs until SIGTERM or SIGINT; SIGHUP reads the configuration again.
    ///
    /// Throws `SystemError` when the file cannot be read, ``ConfigurationError`` when it is wrong, and what
    /// keeps a daemon from starting: no such board, no place for the outbox, a missing credential.
    public func run() throws {
        let first = try Configuration.read(path, drivers: drivers)
        let loop = try EventLoop()
        try loop.run { [self] in
            let watch = try SignalWatch(loop: loop) { [request] in request.yield($0 == .hangUp ? .reload : .stop) }
            defer { watch.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [manager] in try await manager.feedWatchdog(on: loop) }
                defer { group.cancelAll() }
                var next: Configuration? = first
                while let configuration = next { next = try await run(configuration, loop) }
            }
        }
    }

    /// Runs one daemon, and returns the configuration of the one that is to follow; `nil` at the end.
    private func run(_ configuration: Configuration, _ loop: EventLoop) async throws -> Configuration? {
        let (board, world) = try makeBoard(configuration, loop)
        let environment = Daemon.Environment(
            loop: loop, board: board, stateDirectory: stateDirectory, wallClock: .system, logger: logger,
            makeBackend: StorageKind.makeStandardBackend)
        let daemon = try Daemon(configuration, environment)
        let next = Protected<Configuration?>(nil)
        try await daemon.run { [self] in
            logger.notice("running", ["device": configuration.name, "board": board.name, "configuration": path])
            manager.ready(daemon.devices.summary)
            let observation = daemon.devices.observe { [manager, devices = daemon.devices] change in
                switch change {
                case .health, .fault: manager.status(devices.summary)
                case .event, .state, .command, .devices: break
                }
            }
            defer { observation.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let world {
                    group.addTask { [visitInterval] in try await world.receiveVisitors(every: visitInterval) }
                }
                defer { group.cancelAll() }
                let follower = try await serve(daemon, canChange: world == nil)
                next.withLock { $0 = follower }
            }
        }
        logger.notice("stopped", ["device": configuration.name])
        return next.withLock { $0 }
    }

    /// Does what is asked until the daemon has to end, and returns the configuration of the one that follows it.
    private func serve(_ daemon: Daemon, canChange: Bool) async throws -> Configuration? {
        for await request in requests {
            guard case .reload = request else { break }
            manager.reloading()
            defer { manager.ready(daemon.devices.summary) }
            guard let configuration = reread() else { continue }
            // A simulated board is made with the parts of its devices, so it comes anew with them.
            guard canChange, try await apply(configuration, to: daemon) else { return configuration }
        }
        manager.stopping()
        return nil
    }

    /// Returns `false` where the daemon has to end for it.
    private func apply(_ configuration: Configuration, to daemon: Daemon) async throws -> Bool {
        do {
            guard try await daemon.apply(configuration) else { return false }
            logger.notice("the changed configuration applies", ["configuration": path])
        } catch  where !(error is CancellationError) {
            refuse(error)
        }
        return true
    }

    /// A wrong configuration is refused with its errors, and the one that runs stays.
    private func reread() -> Configuration? {
        do {
            return try Configuration.read(path, drivers: drivers)
        } catch {
            refuse(error)
            return nil
        }
    }

    private func refuse(_ error: any Error) {
        logger.error("the configuration is refused; the one that runs stays", ["errors": "\(error)"])
    }

    private func makeBoard(_ configuration: Configuration, _ loop: EventLoop) throws -> (any Board, SimulatedWorld?) {
        let name = boardName ?? configuration.board
        if name == "simulated" {
            let board = SimulatedBoard(loop: loop, names: configuration.simulatedNames)
            board.trace.observe { [logger] entry in
                if !entry.isWire { logger.info(entry.text, ["source": entry.source]) }
            }
            return (board, try SimulatedWorld(configuration, on: board))
        }
        let profile = boardName == nil ? configuration.boardProfile : nil
        return (LinuxBoard(try profile ?? BoardProfile.named(name), loop: loop), nil)
    }
}
