public import DeviceKit
import DeviceRuntime
import Peripherals

/// A speaker or a passive buzzer on a PWM channel.
///
/// Silent before the first command and after the end, and silent means a low level: a coil that direct current flows
/// through gets hot.
public actor Speaker: Device {
    private let context: DeviceContext
    private let channel: String

    /// What it is meant to sound like; kept over failures.
    private var machine = SpeakerStateMachine()
    private var volume: Double
    private var wake: AsyncStream<Void>.Continuation?
    private var timer: ScheduledTimer?
    /// What the channel is set to: hertz and volume.
    private var current: [Double]?
    private var isEnabled = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        channel = try options[Self.pwm]
        volume = try options[Self.volume]
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let output = try await context.board.makePWMOutput(channel, consumer: context.name)
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        (current, isEnabled) = (nil, false)
        do {
            ready()
            wake.yield()
            for await _ in wakes { try await follow(output) }
            await silence(output)
            try Task.checkCancellation()
        } catch {
            await silence(output)
            throw error
        }
    }

    public func perform(_ command: Command) async throws {
        let arguments = command.arguments
        let now = context.clock.now
        switch command.name {
        case "tone":
            machine.handle(
                .tone(hertz: try arguments[Self.frequency], for: try arguments[Self.duration]), at: now)
        case "play":
            let times = try arguments[Self.times]
            machine.handle(.play(try arguments[Self.melody], times: times == 0 ? nil : times), at: now)
        case "stop": machine.handle(.stop, at: now)
        case "volume": volume = try arguments[Self.level]
        default: throw DeviceError.unknownCommand(command.name)
        }
        wake?.yield()
    }

    /// Brings the channel to where the machine is, and comes back when that changes.
    private func follow(_ output: any PWMOutput) async throws {
        if machine.advance(to: context.clock.now) { context.emit("finished") }
        context.setState("sounding", machine.isPlaying)
        try await sound(machine.hertz, on: output)
        timer?.cancel()
        timer = machine.nextChange.map { [wake] in context.clock.schedule(at: $0) { wake?.yield() } }
    }

    private func sound(_ hertz: Double?, on output: any PWMOutput) async throws {
        let wanted = hertz.map { [$0, volume] }
        guard wanted != current else { return }
        current = nil
        if let hertz {
            let period: Duration = .seconds(1) / hertz
            // Half of the period is the loudest.
            try await output.set(period: period, pulseWidth: period * (volume / 2))
            if !isEnabled { try await output.enable() }
            isEnabled = true
        } else {
            // Low, and not anything as a channel that is off may be.
            try await output.setPulseWidth(.zero)
        }
        current = wanted
    }

    private func silence(_ output: any PWMOutput) async {
        wake = nil
        timer?.cancel()
        // Best effort: the channel may be what has failed.
        if isEnabled { try? await output.setPulseWidth(.zero) }
        await output.close()
        context.setState("sounding", false)
    }
}
