public import DeviceRuntime
public import Peripherals

/// Pulses on a digital line, made by timers: for a lamp, a heater or a buzzer on a line without a PWM channel.
///
/// Only where it is asked for; nothing falls back to it. Its limits: a period of at least ``shortestPeriod`` (500 Hz),
/// and edges that come when the loop gets to them, which is late by as long as other handlers run at the time. Good
/// enough for an eye or a heater; a servo trembles and may get hot. A period that was missed is left out, never made
/// up for by faster ones.
public final class SoftwarePWMOutput: PWMOutput {
    /// Below this, the loop would do little else.
    public static let shortestPeriod = Duration.milliseconds(2)

    private struct State {
        var settings = PWMSettings()
        /// Ends with the next edge's handler; without one the level stands still.
        var timer: ScheduledTimer?
        var isClosed = false
        /// What kept an edge from being made.
        var failure: (any Error)?
    }

    public let name: String
    public let backend = PWMBackend.software
    private let output: any DigitalOutput
    private let clock: any MonotonicClock
    private let state = Protected(State())

    /// Takes the line over: closing this closes it.
    public init(on output: any DigitalOutput, clock: any MonotonicClock) {
        name = output.name
        self.output = output
        self.clock = clock
    }

    deinit { end() }

    public func setPeriod(_ period: Duration) async throws {
        let nanoseconds = try PWMSettings.nanoseconds(period, least: 1, "a period", of: name)
        guard period >= Self.shortestPeriod else {
            throw PeripheralError(
                .unsupported, "\(name): software makes no periods below \(Self.shortestPeriod)",
                advice: "use a PWM channel of the board")
        }
        try change { $0.period = .nanoseconds(nanoseconds) }
    }

    public func setPulseWidth(_ width: Duration) async throws {
        let nanoseconds = try PWMSettings.nanoseconds(width, least: 0, "a pulse width", of: name)
        try change { $0.pulseWidth = .nanoseconds(nanoseconds) }
    }

    public func setPolarity(_ polarity: PWMPolarity) async throws {
        let name = name
        try change { settings in
            if settings.isEnabled {
                throw PeripheralError(
                    .invalidArgument, "\(name): the polarity changes only while disabled", advice: "disable it first")
            }
            settings.polarity = polarity
        }
    }

    public func enable() async throws { try change { $0.isEnabled = true } }

    public func disable() async throws {
        if try await settings().isEnabled { try change { $0.isEnabled = false } }
    }

    public func settings() async throws -> PWMSettings { try state.withLock { try check($0).settings } }

    public func close() async { end() }

    private func end() {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            state.timer?.cancel()
            return state.isClosed
        }
        if wasClosed { return }
        // Best effort: the line may be gone.
        try? output.write(level(isActive: false, .normal))
        output.close()
    }

    // MARK: Edges

    /// Changes the settings, if they hold together. Running pulses take them over with the next period.
    private func change(_ body: (inout PWMSettings) throws -> Void) throws {
        let startsNow = try state.withLock { state in
            var settings = try check(state).settings
            let wasEnabled = settings.isEnabled
            try body(&settings)
            guard settings.period > .zero else { throw invalid("the period is set before anything else") }
            guard settings.pulseWidth <= settings.period else {
                throw invalid("the pulse width lies between zero and the period")
            }
            state.settings = settings
            if !settings.isEnabled {
                state.timer?.cancel()
                state.timer = nil
            }
            return settings.isEnabled ? state.timer == nil : wasEnabled
        }
        if startsNow { try begin(at: clock.now) }
    }

    /// Begins a period, or puts the level to where it stays.
    private func begin(at start: Duration) throws {
        let settings = state.withLock { state in
            state.timer = nil
            return state.settings
        }
        let isActive = settings.isEnabled && settings.pulseWidth > .zero
        try output.write(level(isActive: isActive, settings.polarity))
        guard isActive, settings.pulseWidth < settings.period else { return }
        schedule(at: start + settings.pulseWidth) { output in
            try output.end(settings, start: start)
        }
    }

    private func end(_ settings: PWMSettings, start: Duration) throws {
        try output.write(level(isActive: false, settings.polarity))
        // On the grid, so that lateness does not add up; but what was missed stays missed.
        let due = start + settings.period
        let next = due + settings.period < clock.now ? clock.now : due
        schedule(at: next) { output in try output.begin(at: next) }
    }

    private func schedule(at deadline: Duration, _ step: @escaping @Sendable (SoftwarePWMOutput) throws -> Void) {
        let timer = clock.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            do { try step(self) } catch {
                state.withLock { state in
                    state.failure = error
                    state.timer = nil
                }
            }
        }
        state.withLock { state in
            // Closed or disabled by whoever watches the line.
            if state.isClosed || !state.settings.isEnabled { timer.cancel() } else { state.timer = timer }
        }
    }

    private func level(isActive: Bool, _ polarity: PWMPolarity) -> Level {
        isActive == (polarity == .normal) ? .high : .low
    }

    /// Throws what ended the pulses, if something did.
    private func check(_ state: State) throws -> State {
        if state.isClosed { throw PeripheralError(.closed, "\(name) was closed before") }
        if let failure = state.failure { throw failure }
        return state
    }

    private func invalid(_ advice: String) -> PeripheralError {
        PeripheralError(.invalidArgument, "\(name) refused the setting", advice: advice)
    }
}
