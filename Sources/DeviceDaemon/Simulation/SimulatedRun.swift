import CaptureStore
import DeviceRuntime
import SimulatedPeripherals

/// A daemon with all that is simulated around it, from its start to its stop in virtual time: what a ``Simulation``
/// and a scenario have in common.
struct SimulatedRun: Sendable {
    /// Who is told of what happens.
    struct Watch: Sendable {
        var trace: @Sendable (Trace.Entry) -> Void = { _ in }
        /// Whether the traffic on wires is traced, too.
        var needsWires = true
        var logged: @Sendable (LogEntry) -> Void = { _ in }
        /// What the rules make of events.
        var occurred: @Sendable (RuleOccurrence) -> Void = { _ in }
        /// What changes with the devices, and their events.
        var changed: @Sendable (DeviceDirectory.Change) -> Void = { _ in }
        var arrived: @Sendable (Simulation.Arrival) -> Void = { _ in }
        /// The daemon is made and about to start.
        var starting: @Sendable (Daemon) -> Void = { _ in }
    }

    let configuration: Configuration
    let models: [PartModel]
    let seed: UInt64
    /// Where the outbox is.
    let directory: String
    /// Whether what arrives at a storage is kept in a folder beside it.
    let keepsArrivals: Bool

    /// `prepare` runs before the daemon is made, at time zero, and gives what runs beside it: when that returns, the
    /// daemon stops.
    func run(
        _ watch: Watch, prepare: @escaping @Sendable (SimulatedWorld) throws -> (@Sendable () async throws -> Void)
    ) throws {
        let loop = try EventLoop(time: .virtual)
        try loop.run {
            let board = SimulatedBoard(loop: loop, seed: seed, names: configuration.simulatedNames)
            board.trace.observe(wires: watch.needsWires, watch.trace)
            let surroundings = SimulatedSurroundings(loop: loop)
            let world = try SimulatedWorld(configuration, on: board, models: models, surroundings: surroundings)
            let direct = try prepare(world)
            let sink = WatchedLogSink(
                sink: TraceLogSink(board.trace, hiding: directory), logged: watch.logged)
            var environment = Daemon.Environment(
                loop: loop, board: board, stateDirectory: directory, wallClock: surroundings.wallClock,
                logger: Logger(sink, level: .debug)
            ) { storage, context in
                try SimulatedStorage(
                    name: storage.name, folder: keepsArrivals ? context.resolve(storage.name) : nil,
                    surroundings: surroundings, loop: loop, arrived: watch.arrived)
            }
            environment.identity = (outbox: Self.identity(seed), boot: "simulated-\(seed)")
            environment.random = board.makeGenerator()
            environment.occurred = watch.occurred
            let daemon = try Daemon(configuration, environment)
            surroundings.connectDisk { daemon.outbox.setDiskFault($0) }
            watch.starting(daemon)
            let observation = daemon.devices.observe(watch.changed)
            defer { observation.cancel() }
            try await daemon.run { try await direct() }
        }
    }

    /// Eight hexadecimal digits that follow from the seed, in place of the random ones of a real outbox.
    private static func identity(_ seed: UInt64) -> String {
        var generator = SeededGenerator(seed: seed)
        let digits = String(generator.next() & 0xFFFF_FFFF, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// Tells of entries before they are written.
private struct WatchedLogSink: LogSink {
    let sink: any LogSink
    let logged: @Sendable (LogEntry) -> Void

    func write(_ entry: LogEntry) {
        sink.write(entry)
        logged(entry)
    }
}
