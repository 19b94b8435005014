public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A push button on a digital line.
public actor Button: Device {
    private let context: DeviceContext
    private let pin: String
    private let configuration: DigitalInputConfiguration
    private let settle: Duration

    private var input: (any DigitalInput)?
    private var machine: ButtonStateMachine?
    private var settleTimer: ScheduledTimer?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pin = try options[Self.pin]
        settle = try options[Self.settle]
        configuration = DigitalInputConfiguration(
            bias: try options[Self.pull], activeLevel: try Self.activeLevel(options))
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
        machine = ButtonStateMachine(settle: settle, isPressed: isPressed, at: context.clock.now)
        context.setState("pressed", isPressed)
        ready()
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws { throw DeviceError.unknownCommand(command.name) }

    private func handle(_ event: LineEvent, _ failed: Waiter) {
        if case .failure(let error) = event { failed.finish(.failure(error)) }
        guard let edge = event.edge, let deadline = machine?.edge(at: edge.timestamp) else { return }
        settleTimer?.cancel()
        settleTimer = context.clock.schedule(at: deadline) { [weak self] in
            self?.assumeIsolated { $0.settled(failed) }
        }
    }

    private func settled(_ failed: Waiter) {
        guard let input else { return }
        do {
            switch machine?.settled(isPressed: try input.isActive()) {
            case .pressed(let time):
                context.setState("pressed", true)
                context.emit("pressed", at: time)
            case .released(let time, let duration):
                context.setState("pressed", false)
                context.emit("released", at: time, [.init("seconds", .number(duration / .seconds(1)))])
            case nil: break
            }
        } catch {
            failed.finish(.failure(error))
        }
    }

    private func stop() {
        settleTimer?.cancel()
        input?.close()
        input = nil
        machine = nil
        context.setState("pressed", false)
    }
}

extension Button {
    public static let pin = Option("pin", .line, "the line that the button is connected to")
    public static let pull = Option(
        "pull", .choice(["up": Bias.pullUp, "down": .pullDown, "none": .disabled, "as-is": .asIs]), default: "up",
        "the line's pull resistor; `none` if there is one on the board")
    public static let active = Option(
        "active", .choice(["low": Level?.some(.low), "high": .some(.high), "by-pull": .none]), default: "by-pull",
        "the level when pressed; `by-pull` is low with a pull-up and high with a pull-down")
    static let settle = Option(
        "settle", .duration(.zero...(.seconds(1))), default: "20ms",
        "how long the contact must be quiet before its state counts; raise it for a worn switch")

    public static let driver = Driver(
        name: "button",
        summary: "a push button or any other contact",
        options: [pin.description, pull.description, active.description, settle.description],
        events: [
            EventDescription("pressed", "the button went down"),
            EventDescription("released", "the button came up; `seconds` is how long it was down"),
        ],
        states: [StateDescription("pressed", "the button is down")],
        claims: { [Driver.Claim("pin", try $0[pin])] },
        makeDevice: { try Button($0, $1) })
}
