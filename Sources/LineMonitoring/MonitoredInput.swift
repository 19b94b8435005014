public import DeviceRuntime
public import Peripherals

/// A digital input over a board's ``LineSource``: finds lost edges, debounces where the kernel does not, and hands
/// out what it finds. The same on every board.
public final class MonitoredInput: DigitalInput {
    public let activeLevel: Level
    public let debouncer: Debouncer

    private let source: any LineSource
    private let facts: LineSourceFacts
    private let configuration: DigitalInputConfiguration
    private let loop: EventLoop
    private let state: Protected<MonitorState>

    /// How long a level may disagree with the edges before one counts as lost: longer than an interrupt takes on its
    /// way, also on a kernel that raises it with its slowest timer's tick (100 Hz).
    static let patience: Duration = .milliseconds(25)

    /// Takes over the source. Throws `unsupported` when it cannot be debounced.
    public init(
        _ source: any LineSource, _ facts: LineSourceFacts, _ configuration: DigitalInputConfiguration, loop: EventLoop
    ) throws {
        self.source = source
        self.facts = facts
        self.configuration = configuration
        self.loop = loop
        activeLevel = configuration.activeLevel
        debouncer = facts.debouncer(for: configuration)
        state = Protected(MonitorState())
        guard debouncer == .program else { return }
        // As in the kernel, debouncing begins with the opening.
        try watchSource()
        let level = try source.read()
        state.withLock { state in
            state.debouncer = EdgeDebouncer(period: configuration.debounce, tells: configuration.edges, level: level)
        }
    }

    deinit { close() }

    public var name: String { source.name }

    public func read() throws -> Level {
        guard debouncer == .program else { return try source.read() }
        try source.checkOpen()
        try collect()
        let now = loop.now
        let (level, mustDeliver) = state.withLock { state -> (Level?, Bool) in
            state.debouncer?.settle(by: now, into: &state.outbox)
            return (state.debouncer?.level, !state.outbox.isEmpty && !state.isDelivering)
        }
        if mustDeliver { loop.execute { [weak self] in self?.deliver() } }
        return try level ?? source.read()
    }

    public func setEventHandler(quietAfter quiet: Duration?, _ handler: (@Sendable (LineEvent) -> Void)?) throws {
        try source.checkOpen()
        guard handler == nil || !configuration.edges.isEmpty else {
            throw PeripheralError(
                .invalidArgument, "\(name) was opened for no edges", advice: "open it with the edges that are wanted")
        }
        if let quiet, quiet <= .zero {
            throw PeripheralError(.invalidArgument, "\(name) cannot be quiet for \(quiet)")
        }
        state.withLock { $0.forgetHandler() }
        guard let handler else {
            if debouncer != .program { stopWatching() }
            return
        }
        try watchSource()
        // The kernel queues from the request on: what is in the queue is older than this call, and would keep newer
        // edges out of it.
        let since = loop.now
        try discardQueue()
        let level = try source.read()
        state.withLock { state in
            state.handler = handler
            state.since = since
            state.lastEdge = since
            state.quiet = quiet
            guard debouncer != .program else { return }
            state.tracker = EdgeTracker(
                tells: configuration.edges, kernelEdges: facts.kernelEdges(for: configuration), level: level,
                lastNumber: state.lastNumber)
        }
        if let quiet { armQuiet(at: since + quiet) }
    }

    public func close() {
        source.close()
        stopWatching()
        state.withLock { state in
            state.forgetHandler()
            state.settling?.cancel()
        }
    }

    // MARK: From the source to the handler

    private func sourceIsReady() {
        do {
            try collect()
            deliver()
        } catch {
            return fail(error)
        }
        // After whatever the handler has set going: the check asks the kernel, and nobody is to wait for that.
        loop.execute { [weak self] in self?.followUp() }
    }

    private func followUp() {
        do { try check() } catch { return fail(error) }
        if let deadline = state.withLock({ $0.quietToArm }) { armQuiet(at: deadline) }
    }

    /// Takes what is queued through the tracker or the debouncer into the outbox.
    private func collect() throws {
        while true {
            let edges = try source.readEvents()
            let mayHaveLost = !facts.hasSequenceNumbers && edges.count >= facts.queueLength
            let deadline = state.withLock { state -> Duration? in
                for edge in edges { state.take(edge) }
                if mayHaveLost { state.tracker?.foundQueueFull() }
                return state.debouncer?.deadline
            }
            if mayHaveLost, debouncer == .program {
                let level = try source.read()
                state.withLock { $0.debouncer?.lose(level: level, at: loop.now, into: &$0.outbox) }
            }
            if let deadline { armSettling(at: deadline) }
            if edges.count < facts.queueLength { return }
        }
    }

    /// Hands out the outbox. The handler may close the line, set another handler or read; none of it begins a second
    /// delivery within this one.
    private func deliver() {
        guard state.withLock({ state in state.beginDelivery() }) else { return }
        while true {
            let next = state.withLock { state -> (events: [LineEvent], generation: UInt64)? in
                guard !state.outbox.isEmpty else {
                    state.isDelivering = false
                    return nil
                }
                defer { state.outbox = [] }
                return (state.outbox, state.generation)
            }
            guard let next else { return }
            for event in next.events {
                guard let handler = state.withLock({ $0.handler(for: event, of: next.generation) }) else { break }
                handler(event)
            }
        }
    }

    /// Compares the level with the edges. One that disagrees may be an edge on its way: then it is looked at again.
    private func check() throws {
        guard state.withLock({ $0.tracker?.followsLevel == true }) else { return }
        let level = try source.read()
        guard state.withLock({ $0.tracker?.agrees(with: level) == false }) else { return }
        // While the handler worked, edges may have come: the level is compared with the edges before it only when there
        // are none after them.
        let count = state.withLock { $0.edgeCount }
        try collect()
        let now = loop.now
        let isDrained = state.withLock { state -> Bool in
            guard state.edgeCount == count else { return false }
            state.tracker?.drained(level: level, at: now, into: &state.outbox)
            return true
        }
        deliver()
        if isDrained { lookAgain() } else { loop.execute { [weak self] in self?.followUp() } }
    }

    /// After a while, takes a level that still disagrees for the work of a lost edge.
    private func lookAgain() {
        guard state.withLock({ $0.recheck == nil && $0.tracker != nil }) else { return }
        let count = state.withLock { $0.edgeCount }
        let timer = loop.schedule(after: Self.patience) { [weak self] in self?.lookAgain(unlessMoreThan: count) }
        state.withLock { $0.recheck = timer }
    }

    private func lookAgain(unlessMoreThan count: UInt64) {
        state.withLock { $0.recheck = nil }
        do {
            try collect()
            let level = try source.read()
            let now = loop.now
            let hasChanged = state.withLock { state -> Bool in
                guard state.edgeCount == count else { return true }
                state.tracker?.disagree(level: level, at: now, into: &state.outbox)
                return false
            }
            deliver()
            if hasChanged { try check() }
        } catch {
            fail(error)
        }
    }

    /// The line works no more, unless it was closed meanwhile.
    private func fail(_ error: any Error) {
        stopWatching()
        let failure = error as? PeripheralError ?? PeripheralError(.io, "\(name) failed", cause: "\(error)")
        guard failure.code != .closed else { return }
        state.withLock { state in
            state.recheck?.cancel()
            state.settling?.cancel()
            state.quiet = nil
            state.outbox.append(.failure(failure))
        }
        deliver()
    }

    // MARK: Timers

    /// A timer that is early looks how much longer it takes: so an edge costs none.
    private func armSettling(at deadline: Duration) {
        guard state.withLock({ $0.settling == nil }) else { return }
        let timer = loop.schedule(at: deadline) { [weak self] in self?.settle() }
        state.withLock { $0.settling = timer }
    }

    private func settle() {
        state.withLock { $0.settling = nil }
        do {
            // What is queued is older than this moment.
            try collect()
            let level = try source.read()
            let now = loop.now
            let deadline = state.withLock { state -> Duration? in
                if let end = state.debouncer?.deadline, end <= now { state.debouncer?.correct(level: level, at: now) }
                state.debouncer?.settle(by: now, into: &state.outbox)
                return state.debouncer?.deadline
            }
            deliver()
            if let deadline { armSettling(at: deadline) }
        } catch {
            fail(error)
        }
    }

    private func armQuiet(at deadline: Duration) {
        let timer = loop.schedule(at: deadline) { [weak self] in self?.lookForQuiet() }
        state.withLock { $0.quietTimer = timer }
    }

    private func lookForQuiet() {
        state.withLock { $0.quietTimer = nil }
        do {
            // What is queued is older than this moment.
            try collect()
            deliver()
        } catch {
            return fail(error)
        }
        let now = loop.now
        let next = state.withLock { state -> Duration? in
            guard let end = state.quietToArm else { return nil }
            if end > now { return end }
            state.outbox.append(.quiet(since: state.lastEdge))
            state.isQuiet = true
            return nil
        }
        if let next { return armQuiet(at: next) }
        deliver()
    }

    // MARK: Watching

    private func watchSource() throws {
        guard !state.withLock({ $0.isWatching }) else { return }
        try source.startWatching { [weak self] in self?.sourceIsReady() }
        state.withLock { $0.isWatching = true }
    }

    private func stopWatching() {
        source.stopWatching()
        state.withLock { $0.isWatching = false }
    }

    private func discardQueue() throws {
        if debouncer == .program {
            try collect()
            return state.withLock { $0.outbox = [] }
        }
        while true {
            let edges = try source.readEvents()
            if let number = edges.last?.sequenceNumber { state.withLock { $0.lastNumber = number } }
            if edges.count < facts.queueLength { return }
        }
    }
}
