import DeviceDaemon
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import SimulatedPeripherals

/// The daemon as a process: signals, the service manager, and one daemon after the other when the configuration
/// changes.
final class DaemonProcess: Sendable {
    private struct State {
        /// What runs after the present daemon; `nil` ends the process.
        var next: Configuration?
        /// Finished to end the present daemon.
        var stop = Waiter()
    }

    private let path: String
    private let boardName: String?
    private let stateDirectory: String
    private let visitInterval: Duration
    private let logger: Logger
    private let manager = ServiceManager()
    private let state = Protected(State())

    init(configuration path: String, board: String?, stateDirectory: String, visitInterval: Duration, logger: Logger) {
        self.path = path
        boardName = board
        self.stateDirectory = stateDirectory
        self.visitInterval = visitInterval
        self.logger = logger
    }

    /// Runs until SIGTERM or SIGINT.
    func run(_ configuration: Configuration) throws {
        state.withLock { $0.next = configuration }
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
            manager.ready("running on \(board.name)")
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
            let configuration = try ConfigurationFile.read(path)
            logger.notice("applying the changed configuration", ["configuration": path])
            return configuration
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            logger.error("the configuration is refused; the one that runs stays", ["errors": reason])
            return nil
        }
    }

    private func makeBoard(_ configuration: Configuration, _ loop: EventLoop) throws -> (any Board, SimulatedWorld?) {
        let name = boardName ?? configuration.board
        if name == "simulated" {
            let board = SimulatedBoard(loop: loop)
            board.trace.observe { [logger] entry in
                if !entry.isWire { logger.info(entry.text, ["source": entry.source]) }
            }
            return (board, try SimulatedWorld(configuration, on: board))
        }
        do {
            return (LinuxBoard(try BoardProfile.named(name), loop: loop), nil)
        } catch let error as PeripheralError {
            throw CommandFailure(.unavailable, "perch run: \(error)")
        }
    }
}
