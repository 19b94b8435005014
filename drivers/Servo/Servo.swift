public import DeviceKit
import DeviceRuntime
import Peripherals

/// A hobby servo on a PWM channel.
///
/// Nothing is driven before the first command, and nothing after the end: a servo without pulses rests.
public actor Servo: Device {
    private let context: DeviceContext
    private let channel: String

    private var machine: any ServoStateMachine
    private var wake: AsyncStream<Void>.Continuation?
    private var timer: ScheduledTimer?
    /// What the channel is set to; `nil` for no pulses.
    private var pulse: Duration?
    private var isEnabled = false
    /// Those that the machine has.
    private var states: Set<String> = []
    /// No other pulse is set before: one that came sooner would not be seen.
    private var nextPeriod: Duration = .zero

    /// 50 Hz, what hobby servos are made for.
    private static let period: Duration = .milliseconds(20)
    /// How long a servo is given at the end to be where it is to stand; less than systemd waits (`TimeoutStopSec`).
    private static let longestParking: Duration = .seconds(3)
    /// What a servo needs for its whole range: 0.1 s to 0.2 s for 60 degrees.
    private static let travelTime: Duration = .milliseconds(500)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ channel: String, _ machine: any ServoStateMachine, _ context: DeviceContext) {
        self.channel = channel
        self.machine = machine
        self.context = context
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let output = try await context.board.makePWMOutput(channel, consumer: context.name)
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        do {
            try await output.setPeriod(Self.period)
            if output.backend == .software {
                context.logger.warning("pulses are made by software: a servo trembles", ["device": context.name])
            }
            ready()
            machine.resume(at: context.clock.now)
            wake.yield()
            for await _ in wakes { try await follow(output) }
            try await park(output)
        } catch {
            await rest(output)
            throw error
        }
        await rest(output)
        try Task.checkCancellation()
    }

    public func perform(_ command: Command) async throws {
        try machine.perform(command, at: context.clock.now)
        wake?.yield()
    }

    /// One step: at most one change of the pulse in a period.
    private func follow(_ output: any PWMOutput) async throws {
        let now = context.clock.now
        if now < nextPeriod { return schedule(at: nextPeriod) }
        let step = machine.step(at: now)
        try await drive(step.pulse, output)
        states = Set(step.states.keys)
        for (state, holds) in step.states { context.setState(state, holds) }
        for event in step.events { context.emit(event.name, event.fields) }
        switch step.next {
        case .never: timer?.cancel()
        case .nextPeriod: schedule(at: now + Self.period)
        case .at(let time): schedule(at: max(time, nextPeriod))
        }
    }

    private func schedule(at time: Duration) {
        timer?.cancel()
        timer = context.clock.schedule(at: time) { [wake] in wake?.yield() }
    }

    private func drive(_ pulse: Duration?, _ output: any PWMOutput) async throws {
        guard pulse != self.pulse else { return }
        // Without pulses it stays enabled at a width of zero: a channel that is disabled may leave its wire at any level.
        try await output.setPulseWidth(pulse ?? .zero)
        self.pulse = pulse
        nextPeriod = context.clock.now + Self.period
        if !isEnabled { try await output.enable() }
        isEnabled = true
    }

    /// Brings it to where it is safe, if it was ever driven. The task is cancelled already, so it waits by itself.
    private func park(_ output: any PWMOutput) async throws {
        let end = context.clock.now + Self.longestParking
        machine.park(at: context.clock.now)
        let before = pulse
        var next = Duration.zero
        while context.clock.now < end {
            await pause(until: max(nextPeriod, next))
            let step = machine.step(at: context.clock.now)
            try await drive(step.pulse, output)
            if step.next != .nextPeriod { break }
            next = context.clock.now + Self.period
        }
        if let pulse, pulse != before { await pause(until: min(context.clock.now + Self.travelTime, end)) }
    }

    private func pause(until time: Duration) async {
        let waiter = Waiter()
        context.clock.schedule(at: time) { waiter.finish() }
        try? await waiter.value()
    }

    private func rest(_ output: any PWMOutput) async {
        wake = nil
        timer?.cancel()
        (pulse, isEnabled, nextPeriod) = (nil, false, .zero)
        for state in states { context.setState(state, false) }
        await output.close()
    }
}
