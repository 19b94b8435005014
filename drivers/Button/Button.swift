public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A push button on a digital line.
public actor Button: Device {
    private let context: DeviceContext
    private let pin: String
    private let configuration: DigitalInputConfiguration
    private let makeMachine: @Sendable (_ isPressed: Bool, _ now: Duration) -> ButtonStateMachine

    private var input: (any DigitalInput)?
    private var machine: ButtonStateMachine?
    private var timer: (deadline: Duration, timer: ScheduledTimer)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pin = try options[Self.pin]
        configuration = DigitalInputConfiguration(
            bias: try options[Self.pull], activeLevel: try Self.activeLevel(options))
        let lockOut = try options[Self.lockOut]
        let settle = try options[Self.settle] ?? (lockOut == nil ? Self.standardSettle : .zero)
        let gestures = GestureStateMachine.Settings(
            clicks: try options[Self.clicks], clickGap: try options[Self.clickGap],
            longPress: try options[Self.longPress], repeatEvery: try options[Self.repetition],
            repeatAfter: try options[Self.repeatAfter])
        makeMachine = {
            ButtonStateMachine(settle: settle, lockOut: lockOut ?? .zero, gestures, isPressed: $0, at: $1)
        }
    }

    /// The level when pressed. A pull-up means that the button connects to ground, unless told otherwise.
    public static func activeLevel(_ options: OptionValues) throws -> Level {
        try options[active] ?? (try options[pull] == .pullDown ? .high : .low)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let input = try await context.board.makeDigitalInput(pin, configuration, consumer: context.name)
        self.input = input
        defer { stop() }
        let failed = Waiter()
        try input.setEventHandler { [weak self] event in
            self?.assumeIsolated { $0.handle(event, failed) }
        }
        let isPressed = try input.isActive()
        machine = makeMachine(isPressed, context.clock.now)
        context.setState("pressed", isPressed)
        armTimer(failed)
        ready()
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws { throw DeviceError.unknownCommand(command.name) }

    private func handle(_ event: LineEvent, _ failed: Waiter) {
        let (level, time): (Level, Duration)
        switch event {
        case .edge(let edge): (level, time) = (edge.edge.level, edge.timestamp)
        case .loss(let loss): (level, time) = (loss.level, loss.timestamp)
        case .failure(let error): return failed.finish(.failure(error))
        case .quiet: return
        }
        tell(machine?.edge(isPressed: level == configuration.activeLevel, at: time))
        armTimer(failed)
    }

    private func wake(_ failed: Waiter) {
        timer = nil
        let now = context.clock.now
        if let input, let deadline = machine?.deadline, deadline <= now {
            do { tell(machine?.wake(isPressed: try input.isActive(), at: now)) } catch {
                return failed.finish(.failure(error))
            }
        }
        armTimer(failed)
    }

    /// A timer that is early looks how much longer it takes: so an edge of a chatter costs none.
    private func armTimer(_ failed: Waiter) {
        guard let deadline = machine?.deadline else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.timer.cancel()
        let next = context.clock.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.wake(failed) } }
        timer = (deadline, next)
    }

    private func stop() {
        timer?.timer.cancel()
        timer = nil
        input?.close()
        input = nil
        machine = nil
        context.setState("pressed", false)
        context.setFault(nil)
    }

    private func tell(_ happenings: [ButtonStateMachine.Happening]?) {
        for happening in happenings ?? [] {
            switch happening {
            case .pressed(let time):
                context.setState("pressed", true)
                context.emit("pressed", at: time)
            case .released(let time, let duration):
                context.setState("pressed", false)
                let seconds = duration.map { Event.Field("seconds", .number($0 / .seconds(1))) }
                context.emit("released", at: time, [seconds].compactMap(\.self))
            case .gesture(.clicked(1, let time)): context.emit("clicked", at: time)
            case .gesture(.clicked(2, let time)): context.emit("double-clicked", at: time)
            case .gesture(.clicked(let times, let time)):
                context.emit("multi-clicked", at: time, [.init("count", .integer(times))])
            case .gesture(.longPressed(let time)): context.emit("long-pressed", at: time)
            case .gesture(.repeated(let count, let time)):
                context.emit("repeated", at: time, [.init("count", .integer(count))])
            case .glitched(let count, let time):
                context.emit("glitched", at: time, [.init("count", .integer(count))])
            case .restless(let isRestless):
                context.setFault(isRestless ? "\(pin) chatters without coming to rest" : nil)
            }
        }
    }
}
