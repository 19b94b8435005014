import DeviceRuntime
import Peripherals

/// A PWM channel with the rules of the kernel's sysfs interface.
public final class SimulatedPWMChannel: Sendable {
    /// What the wire carries.
    public struct Signal: Sendable, Hashable {
        public var period: Duration = .zero
        public var pulseWidth: Duration = .zero
        public var isEnabled = false

        public init(period: Duration = .zero, pulseWidth: Duration = .zero, isEnabled: Bool = false) {
            self.period = period
            self.pulseWidth = pulseWidth
            self.isEnabled = isEnabled
        }
    }

    private struct State {
        var signal = Signal()
        var watchers: [@Sendable (Signal) -> Void] = []
    }

    public let name: String
    private let trace: Trace
    private let ownership: Ownership
    private let state = Protected(State())

    init(name: String, trace: Trace) {
        self.name = name
        self.trace = trace
        ownership = Ownership(of: "PWM channel \(name)")
    }

    public var signal: Signal { state.withLock { $0.signal } }

    /// Calls `watcher` with each change, for a part that hangs on this wire.
    public func watch(_ watcher: @escaping @Sendable (Signal) -> Void) {
        state.withLock { $0.watchers.append(watcher) }
    }

    func open(consumer: String) throws -> any PWMOutput {
        SimulatedPWMOutput(channel: self, opening: try ownership.take(by: consumer))
    }

    /// Changes the signal if the opening holds the channel and the kernel would take the result.
    fileprivate func change(_ opening: UInt64, _ body: (inout Signal) -> Void) throws {
        try ownership.check(opening)
        let changed: (Signal, [@Sendable (Signal) -> Void])? = try state.withLock { state in
            var signal = state.signal
            body(&signal)
            guard signal.period > .zero else { throw invalid("the period is set before anything else") }
            guard signal.pulseWidth >= .zero, signal.pulseWidth <= signal.period else {
                throw invalid("the pulse width lies between zero and the period")
            }
            guard signal != state.signal else { return nil }
            state.signal = signal
            return (signal, state.watchers)
        }
        guard let (signal, watchers) = changed else { return }
        trace.recordWire(name, signal.isEnabled ? "pulse \(signal.pulseWidth) in \(signal.period)" : "off")
        for watcher in watchers { watcher(signal) }
    }

    fileprivate func close(_ opening: UInt64) {
        guard ownership.isHeld(opening) else { return }
        if signal.period > .zero {
            try? change(opening) { signal in
                signal.isEnabled = false
                signal.pulseWidth = .zero
            }
        }
        _ = ownership.release(opening)
    }

    private func invalid(_ advice: String) -> PeripheralError {
        PeripheralError(.invalidArgument, "\(name) refused the setting", cause: "EINVAL (22)", advice: advice)
    }
}

private final class SimulatedPWMOutput: PWMOutput {
    let channel: SimulatedPWMChannel
    let opening: UInt64

    var name: String { channel.name }

    init(channel: SimulatedPWMChannel, opening: UInt64) {
        self.channel = channel
        self.opening = opening
    }

    deinit { channel.close(opening) }

    func setPeriod(_ period: Duration) async throws { try channel.change(opening) { $0.period = period } }
    func setPulseWidth(_ width: Duration) async throws { try channel.change(opening) { $0.pulseWidth = width } }
    func enable() async throws { try channel.change(opening) { $0.isEnabled = true } }
    func disable() async throws { try channel.change(opening) { $0.isEnabled = false } }
    func close() async { channel.close(opening) }
}
