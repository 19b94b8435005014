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
    private struct State {
        /// What runs after the present daemon; `nil` ends the process.
        var next: Configuration?
        /// Finished to end the present daemon.
        var stop = Waiter()
    }

    private let path: String
    private let drivers: [Driver]
    private let boardName: String?
    private let stateDirectory: String
    private let visitInterval: Duration
    private let logger: Logger
    private let manager = ServiceManager()
    private let state = Protected(State())

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
    }

    /// Runs until SIGTERM or SIGINT; SIGHUP reads the configuration again.
    ///
    /// Throws `SystemError` when the file cannot be read, ``ConfigurationError`` when it is wrong, and what
    /// keeps a daemon from starting: no such board, no place for the outbox, a missing credential.
    public func run() throws {
        let first = try Configuration.read(path, drivers: drivers)
        state.withLock { $0.next = first }
        let loop = try EventLoop()
        try loop.run { [self] in
            let watch = try SignalWatch(loop: loop) { [self] in receive($0) }
            defer { watch.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [manager] in try await manager.feedWatchdog(on: loop) }
                defer { group.cancelAll() }
                while let configuration = takeNext() { try await run(configuration, loop) }
            }
        }
    }

    private func takeNext() -> Configuration? {
        state.withLock { state in
            let next = state.next
            state = State()
            return next
        }
    }

    private func receive(_ signal: Signal) {
        let next = signal == .hangUp ? reload() : nil
        if signal == .hangUp && next == nil { return }
        state.withLock { state in
            state.next = next
            state.stop.finish()
        }
    }

    private func run(_ configuration: Configuration, _ loop: EventLoop) async throws {
        let (board, world) = try makeBoard(configuration, loop)
        var environment = Daemon.Environment(
            loop: loop, board: board, stateDirectory: stateDirectory, wallClock: .system, logger: logger,
            makeBackend: StorageKind.makeStandardBackend)
        environment.healthChanged = { [manager] in manager.status($0) }
        let daemon = try Daemon(configuration, environment)
        try await daemon.run { [self] in
            logger.notice("running", ["device": configuration.name, "board": board.name, "configuration": path])
            manager.ready(daemon.healthSummary)
            let stop = state.withLock { $0.stop }
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let world {
                    group.addTask { [visitInterval] in try await world.receiveVisitors(every: visitInterval) }
                }
                defer { group.cancelAll() }
                try await stop.wait()
            }
            manager.stopping()
        }
        logger.notice("stopped", ["device": configuration.name])
    }

    /// A wrong configuration is refused with its errors, and the one that runs stays.
    private func reload() -> Configuration? {
        do {
            let configuration = try Configuration.read(path, drivers: drivers)
            logger.notice("applying the changed configuration", ["configuration": path])
            return configuration
        } catch {
            logger.error("the configuration is refused; the one that runs stays", ["errors": "\(error)"])
            return nil
        }
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
