public import DeviceKit
import DeviceRuntime
public import Peripherals

/// A rotary encoder: a knob that turns without end, with two contacts.
public actor RotaryEncoder: Device {
    private struct Change {
        let time: Duration
        let contact: QuadratureDecoder.Contact
        let level: Level
    }

    private let context: DeviceContext
    private let pins: [QuadratureDecoder.Contact: String]
    private let configuration: DigitalInputConfiguration
    private let changesPerStep: Int

    /// Kept over failures.
    private var position: EncoderPosition
    private var decoder: QuadratureDecoder?
    /// What the two lines told and was not yet put into one order.
    private var changes: [Change] = []
    private var orderTimer: ScheduledTimer?
    private var restTimer: ScheduledTimer?

    /// The lines are read one after the other: what one tells is held until the other's is there too.
    private static let orderTime: Duration = .milliseconds(2)
    /// After so long without a change it rests.
    private static let restTime: Duration = .milliseconds(200)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        let (a, b) = (try options[Self.a], try options[Self.b])
        pins = try options[Self.reverse] ? [.a: b, .b: a] : [.a: a, .b: b]
        configuration = DigitalInputConfiguration(
            bias: try options[Self.pull], activeLevel: try Self.closedLevel(options))
        changesPerStep = try options[Self.changesPerStep]
        position = EncoderPosition(range: try options[Self.range], wraps: try options[Self.wrap])
    }

    /// The level of a closed contact.
    public static func closedLevel(_ options: OptionValues) throws -> Level {
        try options[pull] == .pullDown ? .high : .low
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let failed = Waiter()
        var inputs: [any DigitalInput] = []
        defer {
            orderTimer?.cancel()
            restTimer?.cancel()
            (orderTimer, restTimer) = (nil, nil)
            for input in inputs { input.close() }
        }
        changes = []
        var isClosed: [QuadratureDecoder.Contact: Bool] = [:]
        for contact in QuadratureDecoder.Contact.allCases {
            let input = try await context.board.makeDigitalInput(
                pins[contact] ?? "", configuration, consumer: context.name)
            inputs.append(input)
            try input.setEventHandler { [weak self] event in
                self?.assumeIsolated { $0.handle(event, of: contact, failed) }
            }
            isClosed[contact] = try input.isActive()
        }
        decoder = QuadratureDecoder(changesPerStep: changesPerStep, isClosed: isClosed)
        ready()
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws {
        guard command.name == "set" else { throw DeviceError.unknownCommand(command.name) }
        position.set(to: try command.arguments[Self.value])
    }

    private func handle(_ event: LineEvent, of contact: QuadratureDecoder.Contact, _ failed: Waiter) {
        switch event {
        case .failure(let error): failed.finish(.failure(error))
        // Without a number it is one at least.
        case .loss(let loss): decoder?.miss(Int(clamping: loss.count ?? 1))
        case .edge, .quiet: break
        }
        guard let edge = event.edge else { return }
        changes.append(Change(time: edge.timestamp, contact: contact, level: edge.edge.level))
        guard orderTimer == nil else { return }
        orderTimer = context.clock.schedule(after: Self.orderTime) { [weak self] in
            self?.assumeIsolated { $0.decode() }
        }
    }

    private func decode() {
        orderTimer = nil
        let changes = changes.sorted { $0.time < $1.time }
        self.changes = []
        for change in changes {
            decoder?.change(change.contact, isClosed: change.level == configuration.activeLevel)
        }
        if let steps = decoder?.takeSteps(), steps != 0 {
            position.move(by: steps)
            context.emit(
                steps > 0 ? "clockwise" : "counterclockwise", at: changes.last?.time,
                [.init("steps", .integer(abs(steps))), .init("position", .integer(position.value))])
        }
        restTimer?.cancel()
        restTimer = context.clock.schedule(after: Self.restTime) { [weak self] in
            self?.assumeIsolated { $0.rest() }
        }
    }

    private func rest() {
        guard let missed = decoder?.takeMissed(), missed > 0 else { return }
        context.emit("missed", [.init("count", .integer(missed))])
    }
}
