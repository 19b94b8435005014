import DeviceRuntime
import LineMonitoring
public import Peripherals

/// A wire with a level: what drives it from outside, what the program drives, what a resistor outside pulls it to, or
/// what its bias does, in this order.
public final class SimulatedLine: Sendable {
    private struct State {
        /// Driven from outside, by a part or a test.
        var external: Level?
        /// Pulled from outside.
        var pull: Level?
        /// What the program writes, and which of the levels it drives.
        var output: Level?
        var drive = Drive.pushPull
        var bias = Bias.asIs
        var level = Level.low
        var queue: EdgeQueue?
        var debounce: ScheduledTimer?
        /// Whom to tell that edges are queued.
        var reader: (@Sendable () -> Void)?
        var isTelling = false
        var isStalled = false
        var isUnplugged = false
        /// What is outside has no contact with the wire.
        var isLoose = false
        /// Stronger than everything, for a moment.
        var glitch: Level?
        var faults = FaultTable<LineFault>()
        var watchers: [@Sendable (Level) -> Void] = []

        /// Nothing drives it and nothing pulls: it floats, and is read as low here.
        var wireLevel: Level {
            glitch ?? (isLoose ? nil : external) ?? driven ?? (isLoose ? nil : pull) ?? (bias == .pullUp ? .high : .low)
        }

        private var driven: Level? {
            switch drive {
            case .pushPull: output
            case .openDrain: output == .low ? .low : nil
            case .openSource: output == .high ? .high : nil
            }
        }
    }

    public let name: String
    let interface: LineInterface
    let loop: EventLoop
    private let trace: Trace
    /// Who has it open.
    public let ownership: Ownership
    private let state = Protected(State())

    init(name: String, interface: LineInterface, loop: EventLoop, trace: Trace) {
        self.name = name
        self.interface = interface
        self.loop = loop
        self.trace = trace
        ownership = Ownership(of: "line \(name)")
    }

    // MARK: The wire's side

    /// The level now.
    public var level: Level { state.withLock { $0.level } }

    /// Drives the wire from outside, or lets go of it (`nil`): then the program's output or a resistor decides.
    public func drive(_ level: Level?) { change { $0.external = level } }

    /// Connects a pull resistor outside, or none. An output of the program is stronger, its bias is weaker.
    public func pull(_ level: Level?) { change { $0.pull = level } }

    /// Calls `watcher` with each new level, for a part that hangs on this wire.
    public func watch(_ watcher: @escaping @Sendable (Level) -> Void) { state.withLock { $0.watchers.append(watcher) } }

    /// While it is stalled, the program is not told that edges are queued, as if its loop stood still: the queue fills
    /// and overflows.
    public func setStalled(_ isStalled: Bool) {
        state.withLock { $0.isStalled = isStalled }
        tellReader()
    }

    /// Takes the line's chip away or brings it back. Without it every call of the program fails.
    public func setUnplugged(_ isUnplugged: Bool) {
        let reader = state.withLock { state in
            state.isUnplugged = isUnplugged
            return isUnplugged ? state.reader : nil
        }
        if let reader { loop.execute(reader) }
    }

    /// Pulls what is connected outside off the wire, or connects it again; meanwhile it may drive and pull as it likes.
    public func setConnected(_ isConnected: Bool) {
        change { $0.isLoose = !isConnected }
        trace.recordWire(name, isConnected ? "connected" : "disconnected")
    }

    /// The wire catches a pulse of the other level, whatever drives it.
    public func glitch(for width: Duration) {
        change { $0.glitch = $0.wireLevel.inverted }
        loop.schedule(after: width) { [self] in change { $0.glitch = nil } }
    }

    /// Brings about a fault of the edges that come from now on, until what is returned is called.
    @discardableResult
    public func inject(_ fault: LineFault) -> EndOfFault {
        let number = state.withLock { $0.faults.add(fault) }
        return { [self] in state.withLock { $0.faults.remove(number) } }
    }

    private func change(_ body: (inout State) -> Void) {
        let now = loop.now
        let changed = state.withLock { state -> (level: Level, debounce: Duration, [@Sendable (Level) -> Void])? in
            body(&state)
            let level = state.wireLevel
            guard level != state.level else { return nil }
            state.level = level
            let debounce = state.queue?.debounce ?? .zero
            if debounce == .zero { state.queue?.change(to: level, at: now, &state.faults) }
            return (level, debounce, state.watchers)
        }
        guard let (level, debounce, watchers) = changed else { return }
        trace.recordWire(name, "\(level)")
        for watcher in watchers { watcher(level) }
        if debounce > .zero { settle(at: now + debounce) }
        tellReader()
    }

    /// The kernel's debounce: each edge begins the wait anew.
    private func settle(at end: Duration) {
        let timer = loop.schedule(at: end) { [weak self] in
            self?.state.withLock { state in state.queue?.change(to: state.level, at: end, &state.faults) }
            self?.tellReader()
        }
        state.withLock { state in
            state.debounce?.cancel()
            state.debounce = timer
        }
    }

    private func tellReader() {
        let mustTell = state.withLock { state in
            guard state.reader != nil, !state.isStalled, !state.isTelling, state.queue?.isEmpty == false else {
                return false
            }
            state.isTelling = true
            return true
        }
        guard mustTell else { return }
        loop.execute { [self] in
            let reader = state.withLock { state in
                state.isTelling = false
                return state.isStalled ? nil : state.reader
            }
            reader?()
        }
    }

    // MARK: The program's side

    /// Who has opened it; `nil` when nobody has.
    public var holder: String? { ownership.holder }
    public var isOutput: Bool { state.withLock { $0.output != nil } }

    func openInput(_ configuration: DigitalInputConfiguration, consumer: String) throws -> MonitoredInput {
        _ = try configuration.debounceMicroseconds()
        let facts = interface.facts
        let source = SimulatedLineSource(line: self, opening: try take(by: consumer))
        change { $0.bias = configuration.bias }
        let debounce = facts.debouncer(for: configuration) == .kernel ? configuration.debounce : .zero
        state.withLock { state in
            state.queue = EdgeQueue(
                interface: interface, edges: facts.kernelEdges(for: configuration), debounce: debounce,
                level: state.level)
        }
        return try MonitoredInput(source, facts, configuration, loop: loop)
    }

    func openOutput(_ configuration: DigitalOutputConfiguration, consumer: String) throws -> SimulatedDigitalOutput {
        let opening = try take(by: consumer)
        change { state in
            state.output = configuration.initialLevel
            state.drive = configuration.drive
            state.bias = configuration.bias
        }
        return SimulatedDigitalOutput(line: self, opening: opening)
    }

    private func take(by consumer: String) throws -> UInt64 {
        try checkPlugged()
        return try ownership.take(by: consumer)
    }

    private func checkPlugged() throws {
        guard state.withLock({ !$0.isUnplugged }) else {
            throw PeripheralError(.notFound, "line \(name) is gone", cause: "ENODEV (19)")
        }
    }

    private func check(_ opening: UInt64) throws {
        try ownership.check(opening)
        try checkPlugged()
    }

    fileprivate func read(_ opening: UInt64) throws -> Level {
        try check(opening)
        return state.withLock { $0.queue.map { $0.debounce > .zero ? $0.level : nil } ?? nil } ?? level
    }

    fileprivate func write(_ level: Level, _ opening: UInt64) throws {
        try check(opening)
        change { $0.output = level }
    }

    fileprivate func takeEvents(_ opening: UInt64) throws -> [EdgeEvent] {
        try check(opening)
        return state.withLock { $0.queue?.take() ?? [] }
    }

    fileprivate func setReader(_ reader: (@Sendable () -> Void)?, _ opening: UInt64) {
        guard ownership.isHeld(opening) else { return }
        state.withLock { $0.reader = reader }
        tellReader()
    }

    fileprivate func close(_ opening: UInt64) {
        guard ownership.release(opening) else { return }
        change { state in
            state.output = nil
            state.drive = .pushPull
            state.bias = .asIs
            state.queue = nil
            state.debounce?.cancel()
            state.reader = nil
        }
    }

    fileprivate func checkOpen(_ opening: UInt64) throws { try ownership.check(opening) }
}

private final class SimulatedLineSource: LineSource {
    let line: SimulatedLine
    let opening: UInt64

    var name: String { line.name }

    init(line: SimulatedLine, opening: UInt64) {
        self.line = line
        self.opening = opening
    }

    func read() throws -> Level { try line.read(opening) }
    func readEvents() throws -> [EdgeEvent] { try line.takeEvents(opening) }
    func startWatching(_ isReady: @escaping @Sendable () -> Void) throws { line.setReader(isReady, opening) }
    func stopWatching() { line.setReader(nil, opening) }
    func checkOpen() throws { try line.checkOpen(opening) }
    func close() { line.close(opening) }
}

final class SimulatedDigitalOutput: DigitalOutput {
    let line: SimulatedLine
    let opening: UInt64

    var name: String { line.name }

    init(line: SimulatedLine, opening: UInt64) {
        self.line = line
        self.opening = opening
    }

    deinit { close() }

    func checkOpen() throws { try line.checkOpen(opening) }
    func write(_ level: Level) throws { try line.write(level, opening) }
    func close() { line.close(opening) }
}
