public import BoardScripts
import DeviceRuntime
import Peripherals
import SimulatedPeripherals

/// A recorded trace, played to the drivers of a configuration on a simulated board, in virtual time: what came in comes
/// in again, what was read is read again, and what they do and tell has to be the same.
public struct Replay: Sendable {
    public var configuration: Configuration
    public var trace: BoardScript
    /// Where the outbox is. Nothing is stored anywhere else.
    public var directory: String
    /// How much earlier or later than in the trace something may be done.
    public var tolerance: Duration

    /// What was the same.
    public struct Summary: Sendable, Hashable {
        /// How long the recording lasts.
        public var duration: Duration
        /// What was asked of the peripherals and told by the devices.
        public var operations: Int
    }

    /// What keeps a script from being replayed.
    public struct NoRecording: Error, CustomStringConvertible {
        public let description = "it does not begin as `perch record` begins a trace, with 'perch: start …'"
    }

    public init(
        _ configuration: Configuration, trace: BoardScript, directory: String,
        tolerance: Duration = .milliseconds(20)
    ) {
        self.configuration = configuration
        self.trace = trace
        self.directory = directory
        self.tolerance = tolerance
    }

    /// Plays it on the calling thread. Throws the first `ScriptDifference`, or ``NoRecording``.
    public func run() throws -> Summary {
        guard let start = trace.start, let last = trace.lines.last?.time else { throw NoRecording() }
        let end = trace.stop ?? last
        let loop = try EventLoop(time: .virtual)
        try loop.run {
            // Drivers see for how long the board has been up.
            try await loop.sleep(until: start.uptime)
            let player = ScriptPlayer(trace, loop: loop, tolerance: tolerance)
            do {
                try await play(player, on: loop, until: start.uptime + end)
            } catch {
                throw player.difference ?? error
            }
            try player.finish()
        }
        return Summary(duration: end, operations: trace.lines.count { $0.isOperation })
    }

    private func play(_ player: ScriptPlayer, on loop: EventLoop, until end: Duration) async throws {
        var configuration = configuration
        configuration.storage = []
        let simulated = SimulatedBoard(loop: loop, names: configuration.simulatedNames)
        var environment = Daemon.Environment(
            loop: loop, board: ScriptBoard(playing: player, over: simulated), stateDirectory: directory,
            wallClock: wallClock(loop), logger: Logger(TraceLogSink(simulated.trace), level: .error),
            makeBackend: StorageKind.makeStandardBackend)
        environment.identity = (outbox: "00000000", boot: "replay")
        let daemon = try Daemon(configuration, environment)
        let told = daemon.devices.observe { change in
            if case .event(let event) = change { player.note(event) }
        }
        defer { told.cancel() }
        let (commands, command) = AsyncStream<(device: String, words: [String])>.makeStream()
        player.setCommandHandler { command.yield((device: $0, words: $1)) }
        try await daemon.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await (device, words) in commands { try await perform(words, device, daemon) } }
                group.addTask { try await loop.sleep(until: end) }
                group.addTask { try await player.waitForDifference() }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// What a person asked for. A command that fails says so to them alone, then as now.
    private func perform(_ words: [String], _ device: String, _ daemon: Daemon) async throws {
        guard let entry = daemon.devices[device] else { return }
        let command = try ControlVerb.commandGiven(by: words, for: entry)
        do { try await daemon.devices.perform(command, on: device) } catch {}
    }

    /// As it was when the trace was recorded.
    private func wallClock(_ loop: EventLoop) -> WallClock {
        let start = trace.start.flatMap { start in WallTime(start.date).map { $0 - start.uptime } }
        return .starting(at: start ?? WallTime(sinceEpoch: .zero), with: loop)
    }
}
