public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A light on a digital line.
public actor LED: Device {
    private let context: DeviceContext
    private let pin: String
    private let activeLevel: Level

    /// What it is meant to do; kept over failures.
    private var machine = LEDStateMachine()
    private var output: (any DigitalOutput)?
    private var timer: ScheduledTimer?
    private var failed = Waiter()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pin = try options[Self.pin]
        activeLevel = try options[Self.active]
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        failed = Waiter()
        machine.resume(at: context.clock.now)
        // Opened as it is meant to be: it does not flicker.
        output = try await context.board.makeDigitalOutput(
            pin, DigitalOutputConfiguration(initialLevel: level), consumer: context.name)
        defer { stop() }
        show()
        ready()
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws {
        let arguments = command.arguments
        let order: LEDStateMachine.Order
        switch command.name {
        case "on": order = .on
        case "off": order = .off
        case "toggle": order = .toggle
        case "blink":
            let times = try arguments[Self.times]
            order = .blink(
                on: try arguments[Self.on], off: try arguments[Self.off], times: times == 0 ? nil : times)
        case "pulse": order = .blink(on: try arguments[Self.duration], off: .zero, times: 1)
        default: throw DeviceError.unknownCommand(command.name)
        }
        machine.handle(order, at: context.clock.now)
        show()
    }

    private var level: Level { machine.isLit ? activeLevel : activeLevel.inverted }

    /// Brings the line to where the machine is, and comes back when that changes.
    private func show() {
        guard let output else { return }
        timer?.cancel()
        if machine.advance(to: context.clock.now) { context.emit("finished") }
        context.setState("lit", machine.isLit || machine.isBlinking)
        context.setState("blinking", machine.isBlinking)
        do { try output.write(level) } catch { return failed.finish(.failure(error)) }
        timer = machine.nextChange.map { deadline in
            context.clock.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.show() } }
        }
    }

    private func stop() {
        timer?.cancel()
        // Best effort: the line may be gone.
        try? output?.write(activeLevel.inverted)
        output?.close()
        output = nil
        context.setState("lit", false)
        context.setState("blinking", false)
    }
}

extension LED {
    public static let pin = Option("pin", .line, "the line that the LED is connected to")
    public static let active = Option(
        "active", .choice(["low": Level.low, "high": .high]), default: "high",
        "the level that lights it; `low` if it is connected between the supply and the line")

    private static let phase = OptionKind.duration(.milliseconds(10)...(.seconds(3600)))
    static let on = Option("on", phase, default: "500ms", "how long it is lit each time")
    static let off = Option("off", phase, default: "500ms", "how long it is dark in between")
    static let times = Option("times", .integer(0...1_000_000), default: "0", "how often; 0 is until told otherwise")
    static let duration = Option("for", phase, default: "500ms", "how long it is lit")

    public static let driver = Driver(
        name: "led",
        summary: "an LED or another light on a digital line",
        options: [pin.description, active.description],
        events: [
            EventDescription(
                "finished", "a pulse is over, or a blinking with a number of times", recordedAs: .diagnostic)
        ],
        states: [
            StateDescription("lit", "it is on, or blinks"),
            StateDescription("blinking", "it blinks, or a pulse goes on"),
        ],
        commands: [
            CommandDescription("on", "lights it"),
            CommandDescription("off", "darkens it"),
            CommandDescription("toggle", "darkens it if it is lit or blinks, and lights it otherwise"),
            CommandDescription(
                "blink", "blinks", arguments: [times.description, on.description, off.description]),
            CommandDescription("pulse", "lights it for a while", arguments: [duration.description]),
        ],
        claims: { [Driver.Claim("pin", try $0[pin])] },
        makeDevice: { try LED($0, $1) })
}
