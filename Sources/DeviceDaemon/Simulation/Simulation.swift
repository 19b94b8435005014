import CaptureStore
import DeviceRuntime
public import SimulatedPeripherals

/// A configuration that lives for a while on a simulated board, in virtual time.
public struct Simulation: Sendable {
    public var configuration: Configuration
    public var duration: Duration
    public var seed: UInt64
    /// About how often somebody comes by.
    public var visitInterval: Duration
    /// Where the outbox is, and a folder for each storage with what arrives there: no server is asked.
    public var directory: String
    /// Whether the folder gets what displays look like, too, at each change: `pictures/sign/00.01.31.760781.svg`.
    public var keepsPictures = false

    /// An object that arrived at a storage, and the file that it is in.
    public struct Arrival: Sendable, Hashable {
        public let storage: String
        public let path: String
    }

    /// What simulated wall clocks show at boot: 2026-01-01T00:00:00Z.
    private static let start = WallTime(sinceEpoch: .seconds(1_767_225_600))
    /// How long uploads may go on after the end.
    private static let grace: Duration = .seconds(60)

    public init(
        _ configuration: Configuration, duration: Duration, seed: UInt64, visitInterval: Duration = .seconds(600),
        directory: String
    ) {
        self.configuration = configuration
        self.duration = duration
        self.seed = seed
        self.visitInterval = visitInterval
        self.directory = directory
    }

    /// Runs it on the calling thread and returns what arrived, in order; `observer` gets the trace as it happens.
    public func run(_ observer: @escaping @Sendable (Trace.Entry) -> Void) throws -> [Arrival] {
        let loop = try EventLoop(time: .virtual)
        let arrivals = Protected<[Arrival]>([])
        try loop.run {
            let board = SimulatedBoard(loop: loop, seed: seed, names: configuration.simulatedNames)
            board.trace.observe(observer)
            var environment = Daemon.Environment(
                loop: loop, board: board, stateDirectory: directory,
                wallClock: .starting(at: Self.start, with: loop),
                logger: Logger(TraceLogSink(board.trace), level: .debug)
            ) { storage, context in
                try SimulatedStorage(
                    name: storage.name, folder: context.resolve(storage.name), arrivals: arrivals, loop: loop)
            }
            environment.identity = (outbox: Self.identity(seed), boot: "simulated-\(seed)")
            let world = try SimulatedWorld(configuration, on: board)
            let pictures = keepsPictures ? PictureFolder("\(directory)/pictures", of: world) : nil
            if let pictures {
                board.trace.observe { entry in
                    observer(entry)
                    pictures.look(entry)
                }
            }
            let daemon = try Daemon(configuration, environment)
            try await daemon.run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await world.receiveVisitors(every: visitInterval) }
                    try await loop.sleep(until: duration)
                    group.cancelAll()
                }
                // What is on its way arrives before the end: in virtual time the disk takes none.
                try await loop.sleep(for: Self.grace)
            }
            try pictures?.check()
        }
        return arrivals.withLock { $0 }
    }

    /// Eight hexadecimal digits that follow from the seed, in place of the random ones of a real outbox.
    private static func identity(_ seed: UInt64) -> String {
        var generator = SeededGenerator(seed: seed)
        let digits = String(generator.next() & 0xFFFF_FFFF, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
