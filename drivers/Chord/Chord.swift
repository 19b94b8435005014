public import DeviceKit
import DeviceRuntime

/// Several buttons that are pressed together. It follows what they tell; their lines are theirs.
public actor Chord: Device {
    private let context: DeviceContext
    private let buttons: [String]
    private let fresh: ChordStateMachine
    private var machine: ChordStateMachine
    private var timer: ScheduledTimer?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        buttons = try options[Self.buttons]
        fresh = ChordStateMachine(
            buttons: Set(buttons), within: try options[Self.within], longPress: try options[Self.longPress])
        machine = fresh
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        machine = fresh
        let following = buttons.map { button in
            context.follow(button) { [weak self] event in self?.assumeIsolated { $0.follow(event) } ?? .passOn }
        }
        defer {
            for button in following { button.cancel() }
            timer?.cancel()
            context.setState("pressed", false)
        }
        ready()
        try await context.waitUntilStopped()
    }

    public func perform(_ command: Command) async throws { throw DeviceError.unknownCommand(command.name) }

    private func follow(_ event: Event) -> Passing {
        switch event.name {
        case "pressed": take(machine.pressed(event.device, at: event.timestamp))
        case "released": take(machine.released(event.device, at: event.timestamp))
        case "glitched": break
        default: return machine.hasTaken(event.device) ? .withhold : .passOn
        }
        return .passOn
    }

    private func take(_ happenings: [ChordStateMachine.Happening]) {
        timer?.cancel()
        timer = machine.deadline.map { deadline in
            context.clock.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.wake() } }
        }
        // After the button's own event.
        if !happenings.isEmpty { context.loop.execute { [weak self] in self?.assumeIsolated { $0.tell(happenings) } } }
    }

    private func wake() { take(machine.advance(to: context.clock.now)) }

    private func tell(_ happenings: [ChordStateMachine.Happening]) {
        for happening in happenings {
            switch happening {
            case .pressed(let time):
                context.setState("pressed", true)
                context.emit("pressed", at: time)
            case .released(let time, let duration):
                context.setState("pressed", false)
                context.emit("released", at: time, [.init("seconds", .number(duration / .seconds(1)))])
            case .longPressed(let time): context.emit("long-pressed", at: time)
            }
        }
    }
}

extension Chord {
    static let buttons = Option(
        "buttons", .devices(of: "button"), "the devices that are pressed together, two or more")
    static let within = Option(
        "within", .duration(.milliseconds(10) ... .seconds(5)), default: "200ms",
        "how long after the first one the last one may follow")
    static let longPress = Option(
        "long-press", .optional(.duration(.milliseconds(100) ... .seconds(600)), or: "off"), default: "off",
        "from when on the chord is a long press")

    public static let driver = Driver(
        name: "chord",
        summary: "several buttons that are pressed together",
        options: [buttons.description, within.description, longPress.description],
        events: [
            EventDescription("pressed", "the last of the buttons went down"),
            EventDescription(
                "released", "the first of them came up",
                fields: [FieldDescription("seconds", .number, unit: .seconds, "how long all were down")]),
            EventDescription(
                "long-pressed", "all have been down for as long as `long-press` says", needs: Need(longPress)),
        ],
        states: [StateDescription("pressed", "all of the buttons are down")],
        claims: { _ in [] },
        makeDevice: { try Chord($0, $1) })
}
