public import CaptureStore
import DeviceRuntime
public import SimulatedPeripherals

/// A configuration that lives for a while on a simulated board, in virtual time.
public struct Simulation: Sendable {
    public var configuration: Configuration
    public var duration: Duration
    public var seed: UInt64
    /// About how often somebody comes by.
    public var visitInterval: Duration
    /// What goes wrong.
    public var faults: [Fault] = []
    /// Whether the traffic on lines and buses is traced, too.
    public var tracesWires = true
    /// Where the outbox is, and a folder for each storage with what arrives there: no server is asked.
    public var directory: String
    /// Whether those folders are written.
    public var keepsArrivals = true
    /// Whether the folder gets what displays look like, too, at each change: `pictures/sign/00.01.31.760781.svg`.
    public var keepsPictures = false

    /// A record that arrived at a storage.
    public struct Arrival: Sendable {
        public let storage: String
        /// The folder that it is kept in, if it is.
        public let folder: String?
        public let record: StoredRecord
    }

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

    /// Runs it on the calling thread; `observer` gets the trace as it happens, and `arrived` what arrives at a storage.
    ///
    /// Throws what keeps the daemon from starting.
    public func run(
        _ observer: @escaping @Sendable (Trace.Entry) -> Void,
        arrived: @escaping @Sendable (Arrival) -> Void = { _ in }
    ) throws {
        let run = SimulatedRun(
            configuration: configuration, models: standardParts, seed: seed, directory: directory,
            keepsArrivals: keepsArrivals)
        try run.run(SimulatedRun.Watch(trace: observer, needsWires: tracesWires, arrived: arrived)) { world in
            for fault in faults {
                world.schedule(fault) { world.trace.record("fault", "not possible: \(fault) (\($0))") }
            }
            let pictures = keepsPictures ? PictureFolder("\(directory)/pictures", of: world) : nil
            if let pictures {
                world.trace.observe(wires: tracesWires) { entry in
                    observer(entry)
                    pictures.look(entry)
                }
            }
            return {
                let loop = world.board.loop
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await world.receiveVisitors(every: visitInterval) }
                    try await loop.sleep(until: duration)
                    group.cancelAll()
                }
                // What is on its way arrives before the end: in virtual time the disk takes none.
                try await loop.sleep(for: Self.grace)
                try pictures?.check()
            }
        }
    }
}
