import DeviceRuntime
public import Peripherals

/// A PWM channel with the rules of the kernel's sysfs interface, and what can go wrong with one.
public final class SimulatedPWMChannel: Sendable {
    /// What a chip and its surroundings are like.
    public struct Traits: Sendable, Hashable {
        /// Whether the chip has this channel at all; a profile may name more than there are.
        public var isPresent = true
        public var canInverse = true
        /// How near to zero and to the period a pulse width may come without being either: the Raspberry Pi's
        /// pwm-pio refuses what is nearer than 15 ns.
        public var edgeDistance = Duration.zero
        /// How long after the opening udev lets the process in; usually tens of milliseconds.
        public var permissionDelay = Duration.zero

        public init() {}
    }

    private struct State {
        var signal = PWMSettings()
        var traits = Traits()
        /// The opening that has set a period: one that an earlier user set does not count.
        var periodOpening: UInt64?
        /// What is outside has no contact with the wire.
        var isLoose = false
        var watchers: [@Sendable (PWMSettings) -> Void] = []
        var writes = 0
    }

    public let name: String
    private let loop: EventLoop
    private let trace: Trace
    /// Who has it open.
    public let ownership: Ownership
    private let state = Protected(State())

    init(name: String, loop: EventLoop, trace: Trace) {
        self.name = name
        self.loop = loop
        self.trace = trace
        ownership = Ownership(of: "PWM channel \(name)")
    }

    /// What the wire carries.
    public var signal: PWMSettings { state.withLock { $0.signal } }

    public var traits: Traits {
        get { state.withLock { $0.traits } }
        set { state.withLock { $0.traits = newValue } }
    }

    /// How often the program has set something, changed or not: each is a system call on a board.
    public var writes: Int { state.withLock { $0.writes } }

    /// Calls `watcher` with each change, for a part that hangs on this wire.
    public func watch(_ watcher: @escaping @Sendable (PWMSettings) -> Void) {
        state.withLock { $0.watchers.append(watcher) }
    }

    /// Pulls what is connected outside off the wire, which is then told of no pulses, or connects it again.
    public func setConnected(_ isConnected: Bool) {
        let (signal, watchers) = state.withLock { state in
            defer { state.isLoose = !isConnected }
            return (state.signal, state.isLoose == isConnected ? state.watchers : [])
        }
        trace.recordWire(name, isConnected ? "connected" : "disconnected")
        for watcher in watchers { watcher(isConnected ? signal : PWMSettings()) }
    }

    /// Sets the channel as a process did that then crashed: the kernel keeps it.
    public func leave(_ signal: PWMSettings) { apply { $0.signal = signal } }

    func open(consumer: String) async throws -> any PWMOutput {
        let traits = traits
        guard traits.isPresent else {
            throw PeripheralError(.notFound, "\(name): its chip has no such channel", cause: "ENODEV (19)")
        }
        let output = SimulatedPWMOutput(channel: self, opening: try ownership.take(by: consumer))
        try await waitForPermission(traits.permissionDelay)
        apply { $0.signal = PWMSettings(period: $0.signal.period) }
        return output
    }

    /// As long as the real board waits for udev.
    private func waitForPermission(_ delay: Duration) async throws {
        guard delay > .zero else { return }
        try await loop.sleep(for: min(delay, .seconds(2)))
        guard delay > .seconds(2) else { return }
        throw PeripheralError(
            .permissionDenied, "\(name) cannot be opened", cause: "EACCES (13)",
            advice: "add the user to the group 'gpio', or add a udev rule")
    }

    fileprivate func settings(_ opening: UInt64) throws -> PWMSettings {
        try ownership.check(opening)
        return signal
    }

    fileprivate func setPeriod(_ period: Duration, _ opening: UInt64) throws {
        try ownership.check(opening)
        let nanoseconds = try PWMSettings.nanoseconds(period, least: 1, "a period", of: name)
        try change(opening) { state in
            state.signal.period = .nanoseconds(nanoseconds)
            state.periodOpening = opening
        }
    }

    fileprivate func setPulseWidth(_ width: Duration, _ opening: UInt64) throws {
        try ownership.check(opening)
        let nanoseconds = try PWMSettings.nanoseconds(width, least: 0, "a pulse width", of: name)
        try change(opening) { $0.signal.pulseWidth = .nanoseconds(nanoseconds) }
    }

    fileprivate func setPolarity(_ polarity: PWMPolarity, _ opening: UInt64) throws {
        let name = name
        try change(opening) { state in
            if state.signal.isEnabled {
                throw PeripheralError(
                    .invalidArgument, "\(name): the polarity changes only while disabled", advice: "disable it first")
            }
            if polarity != state.signal.polarity && !state.traits.canInverse {
                throw PeripheralError(.unsupported, "\(name): its chip cannot inverse its pulses", cause: "EINVAL (22)")
            }
            state.signal.polarity = polarity
        }
    }

    fileprivate func setEnabled(_ isEnabled: Bool, _ opening: UInt64) throws {
        try ownership.check(opening)
        // What is off already can be switched off at any time.
        if !isEnabled && !signal.isEnabled { return }
        try change(opening) { $0.signal.isEnabled = isEnabled }
    }

    fileprivate func close(_ opening: UInt64) {
        guard ownership.release(opening) else { return }
        apply { $0.signal = PWMSettings(period: $0.signal.period) }
    }

    /// Changes the state if the opening holds the channel and the kernel would take the result.
    private func change(_ opening: UInt64, _ body: (inout State) throws -> Void) throws {
        try ownership.check(opening)
        state.withLock { $0.writes += 1 }
        try apply { state in
            try body(&state)
            guard state.periodOpening == opening else { throw invalid("the period is set before anything else") }
            let (width, period) = (state.signal.pulseWidth, state.signal.period)
            guard width <= period else { throw invalid("the pulse width lies between zero and the period") }
            let distance = state.traits.edgeDistance
            guard width == .zero || width == period || (width >= distance && period - width >= distance) else {
                throw invalid("the chip's driver needs \(distance) between a pulse's edges")
            }
        }
    }

    private func apply(_ body: (inout State) throws -> Void) rethrows {
        let changed: (PWMSettings, [@Sendable (PWMSettings) -> Void])? = try state.withLock { state in
            var next = state
            try body(&next)
            defer { state = next }
            return next.signal == state.signal ? nil : (next.signal, next.isLoose ? [] : next.watchers)
        }
        guard let (signal, watchers) = changed else { return }
        let pulse = (signal.polarity == .inversed ? "inversed " : "") + "pulse \(signal.pulseWidth) in \(signal.period)"
        trace.recordWire(name, signal.isEnabled ? pulse : "off")
        for watcher in watchers { watcher(signal) }
    }

    private func invalid(_ advice: String) -> PeripheralError {
        PeripheralError(.invalidArgument, "\(name) refused the setting", cause: "EINVAL (22)", advice: advice)
    }
}

private final class SimulatedPWMOutput: PWMOutput {
    let channel: SimulatedPWMChannel
    let opening: UInt64

    var name: String { channel.name }
    let backend = PWMBackend.hardware

    init(channel: SimulatedPWMChannel, opening: UInt64) {
        self.channel = channel
        self.opening = opening
    }

    deinit { channel.close(opening) }

    func setPeriod(_ period: Duration) async throws { try channel.setPeriod(period, opening) }
    func setPulseWidth(_ width: Duration) async throws { try channel.setPulseWidth(width, opening) }
    func setPolarity(_ polarity: PWMPolarity) async throws { try channel.setPolarity(polarity, opening) }
    func enable() async throws { try channel.setEnabled(true, opening) }
    func disable() async throws { try channel.setEnabled(false, opening) }
    func settings() async throws -> PWMSettings { try channel.settings(opening) }
    func close() async { channel.close(opening) }
}
