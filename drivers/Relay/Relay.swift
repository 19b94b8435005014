public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A relay, or anything else that is switched on and off by a digital line and minds how often.
public actor Relay: Device {
    private let context: DeviceContext
    private let pin: String
    private let activeLevel: Level
    private let isSafeOn: Bool

    /// What it is meant to do; kept over failures.
    private var machine: RelayStateMachine
    private var output: (any DigitalOutput)?
    private var timer: ScheduledTimer?
    private var failed = Waiter()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pin = try options[Self.pin]
        activeLevel = try options[Self.active]
        isSafeOn = try options[Self.safe]
        let longest = try options[Self.longestOn]
        machine = RelayStateMachine(
            limits: .init(
                minimumOn: try options[Self.minimumOn], minimumOff: try options[Self.minimumOff],
                longestOn: longest == .zero ? nil : longest),
            isOn: isSafeOn)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        failed = Waiter()
        // After a crash the relay may still be as it was: from here on it is as it is safe.
        output = try await context.board.makeDigitalOutput(
            pin, DigitalOutputConfiguration(initialLevel: level(isOn: isSafeOn)), consumer: context.name)
        defer { stop() }
        tell(machine.force(isOn: isSafeOn, at: context.clock.now))
        advance()
        ready()
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws {
        let order: RelayStateMachine.Order
        switch command.name {
        case "on": order = .on
        case "off": order = .off
        case "toggle": order = .toggle
        case "pulse": order = .pulse(try command.arguments[Self.duration])
        default: throw DeviceError.unknownCommand(command.name)
        }
        machine.handle(order, at: context.clock.now)
        advance()
    }

    private func level(isOn: Bool) -> Level { isOn ? activeLevel : activeLevel.inverted }

    /// Does what the machine says that it is time for, and comes back when something changes.
    private func advance() {
        guard let output else { return }
        timer?.cancel()
        if let change = machine.advance(to: context.clock.now) {
            do { try output.write(level(isOn: machine.isOn)) } catch { return failed.finish(.failure(error)) }
            tell(change)
        }
        context.setState("on", machine.isOn)
        context.setState("waiting", machine.isWaiting)
        timer = machine.nextChange.map { deadline in
            context.clock.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.advance() } }
        }
    }

    private func tell(_ change: RelayStateMachine.Change?) {
        func seconds(_ time: Duration) -> [Event.Field] { [.init("seconds", .number(time / .seconds(1)))] }
        switch change {
        case .switchedOn: context.emit("switched-on")
        case .switchedOff(let time): context.emit("switched-off", seconds(time))
        case .cutOff(let time):
            context.emit("switched-off", seconds(time))
            context.emit("cut-off", seconds(time))
        case nil: break
        }
    }

    private func stop() {
        timer?.cancel()
        defer { output = nil }
        context.setState("waiting", false)
        do { try output?.write(level(isOn: isSafeOn)) } catch {
            // The line is gone, and what became of the relay is not known before it is back.
            output?.close()
            return context.setState("on", false)
        }
        output?.close()
        tell(machine.force(isOn: isSafeOn, at: context.clock.now))
        context.setState("on", isSafeOn)
    }
}

extension Relay {
    public static let pin = Option("pin", .line, "the line that the relay's input is connected to")
    public static let active = Option(
        "active", .choice(["low": Level.low, "high": .high]), default: "high",
        "the level that switches it on; `low` for most boards with optocouplers")
    static let safe = Option(
        "safe", .choice(["off": false, "on": true]), default: "off",
        "how it is at the start, after a failure and at the end")

    private static let time = OptionKind.duration(.zero...(.seconds(7 * 86400)))
    static let minimumOn = Option(
        "minimum-on", time, default: "0s", "how long it stays on at least; an order to switch off waits so long")
    static let minimumOff = Option(
        "minimum-off", time, default: "0s", "how long it stays off at least, at the start too")
    static let longestOn = Option(
        "longest-on", time, default: "0s", "how long it may be on; then it is switched off. 0s is as long as it likes")
    static let duration = Option(
        "for", .duration(.milliseconds(1)...(.seconds(7 * 86400))), default: "500ms", "how long it is on")

    private static let seconds = FieldDescription("seconds", .number, unit: .seconds, "how long it was on")

    public static let driver = Driver(
        name: "relay",
        summary: "a relay, a valve, a pump: what is switched by a digital line",
        options: [
            pin.description, active.description, safe.description, minimumOn.description, minimumOff.description,
            longestOn.description,
        ],
        events: [
            EventDescription("switched-on", "it came on"),
            EventDescription("switched-off", "it went off", fields: [seconds]),
            EventDescription("cut-off", "it was switched off because it was on for too long", fields: [seconds]),
        ],
        states: [
            StateDescription("on", "it is on"),
            StateDescription("waiting", "an order waits for the shortest time on or off to pass"),
        ],
        commands: [
            CommandDescription("on", "switches it on"),
            CommandDescription("off", "switches it off"),
            CommandDescription("toggle", "switches it to the other state than it was told last"),
            CommandDescription("pulse", "switches it on for a while", arguments: [duration.description]),
        ],
        claims: { [Driver.Claim("pin", try $0[pin])] },
        makeDevice: { try Relay($0, $1) })
}
