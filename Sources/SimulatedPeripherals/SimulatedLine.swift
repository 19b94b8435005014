import DeviceRuntime
public import Peripherals

/// A wire with a level: what drives it from outside, what the program drives, or what its bias pulls it to.
public final class SimulatedLine: Sendable {
    private struct State {
        /// Driven from outside, by a part or a test.
        var external: Level?
        /// Driven by the program.
        var output: Level?
        var bias = Bias.asIs
        var level = Level.low
        var sequenceNumber: UInt64 = 0
        var handler: (@Sendable (EdgeEvent) -> Void)?
        /// Grows whenever the handler changes: an edge that is on its way to an earlier one is dropped.
        var handlerNumber = 0
        var watchers: [@Sendable (Level) -> Void] = []
    }

    public let name: String
    private let loop: EventLoop
    private let trace: Trace
    private let ownership: Ownership
    private let state = Protected(State())

    init(name: String, loop: EventLoop, trace: Trace) {
        self.name = name
        self.loop = loop
        self.trace = trace
        ownership = Ownership(of: "line \(name)")
    }

    // MARK: The wire's side

    /// The level now.
    public var level: Level { state.withLock { $0.level } }

    /// Drives the wire from outside, or lets go of it (`nil`): then the program's output or the bias decides.
    public func drive(_ level: Level?) {
        change { $0.external = level }
    }

    /// Calls `watcher` with each new level, for a part that hangs on this wire.
    public func watch(_ watcher: @escaping @Sendable (Level) -> Void) { state.withLock { $0.watchers.append(watcher) } }

    private func change(_ body: (inout State) -> Void) {
        let now = loop.now
        let changed: (Level, [@Sendable (Level) -> Void], (@Sendable () -> Void)?)? = state.withLock { state in
            let before = state.level
            body(&state)
            // Nothing drives it and nothing pulls: it floats, and is read as low here.
            let pulled: Level = state.bias == .pullUp ? .high : .low
            state.level = state.external ?? state.output ?? pulled
            guard state.level != before else { return nil }
            guard let handler = state.handler else { return (state.level, state.watchers, nil) }
            state.sequenceNumber += 1
            let event = EdgeEvent(
                edge: Edge(to: state.level), timestamp: now, sequenceNumber: state.sequenceNumber)
            let number = state.handlerNumber
            return (
                state.level, state.watchers,
                { [self] in if self.state.withLock({ $0.handlerNumber }) == number { handler(event) } }
            )
        }
        guard let (level, watchers, delivery) = changed else { return }
        trace.recordWire(name, "\(level)")
        for watcher in watchers { watcher(level) }
        if let delivery { loop.execute(delivery) }
    }

    // MARK: The program's side

    func openInput(_ configuration: DigitalInputConfiguration, consumer: String) throws -> any DigitalInput {
        let opening = try ownership.take(by: consumer)
        change { $0.bias = configuration.bias }
        return SimulatedDigitalInput(line: self, opening: opening, activeLevel: configuration.activeLevel)
    }

    func openOutput(_ configuration: DigitalOutputConfiguration, consumer: String) throws -> any DigitalOutput {
        let opening = try ownership.take(by: consumer)
        change { $0.output = configuration.initialLevel }
        return SimulatedDigitalOutput(line: self, opening: opening)
    }

    fileprivate func read(_ opening: UInt64) throws -> Level {
        try ownership.check(opening)
        return level
    }

    fileprivate func write(_ level: Level, _ opening: UInt64) throws {
        try ownership.check(opening)
        change { $0.output = level }
    }

    fileprivate func setHandler(_ handler: (@Sendable (EdgeEvent) -> Void)?, _ opening: UInt64) throws {
        try ownership.check(opening)
        state.withLock { state in
            state.handler = handler
            state.handlerNumber += 1
        }
    }

    fileprivate func close(_ opening: UInt64) {
        guard ownership.release(opening) else { return }
        change { state in
            state.output = nil
            state.bias = .asIs
            state.handler = nil
            state.handlerNumber += 1
            state.sequenceNumber = 0
        }
    }
}

private final class SimulatedDigitalInput: DigitalInput {
    let line: SimulatedLine
    let opening: UInt64
    let activeLevel: Level

    var name: String { line.name }

    init(line: SimulatedLine, opening: UInt64, activeLevel: Level) {
        self.line = line
        self.opening = opening
        self.activeLevel = activeLevel
    }

    deinit { close() }

    func read() throws -> Level { try line.read(opening) }
    func setEdgeHandler(_ handler: (@Sendable (EdgeEvent) -> Void)?) throws { try line.setHandler(handler, opening) }
    func close() { line.close(opening) }
}

private final class SimulatedDigitalOutput: DigitalOutput {
    let line: SimulatedLine
    let opening: UInt64

    var name: String { line.name }

    init(line: SimulatedLine, opening: UInt64) {
        self.line = line
        self.opening = opening
    }

    deinit { close() }

    func write(_ level: Level) throws { try line.write(level, opening) }
    func close() { line.close(opening) }
}
