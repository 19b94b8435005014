public import DeviceKit
import DeviceRuntime
import Peripherals

/// A passive infrared motion sensor with a digital output, such as the HC-SR501.
public actor MotionSensor: Device {
    private let context: DeviceContext
    private let pin: String
    private let warmUp: Duration

    private var machine = MotionStateMachine()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pin = try options[Self.pin]
        warmUp = try options[Self.warmUp]
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let input = try await context.board.makeDigitalInput(
            pin, DigitalInputConfiguration(activeLevel: .high), consumer: context.name)
        machine = MotionStateMachine()
        defer {
            input.close()
            context.setState("motion", false)
        }
        let failed = Waiter()
        try input.setEventHandler { [weak self] event in
            self?.assumeIsolated { $0.handle(event, failed) }
        }
        ready()
        // The sensor has its power from the board: what counts is the time since boot, not since the program's
        // start.
        try await context.clock.sleep(until: warmUp)
        machine.warmedUp(isHigh: try input.isActive())
        context.setState("motion", machine.isMotion)
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws { throw DeviceError.unknownCommand(command.name) }

    private func handle(_ event: LineEvent, _ failed: Waiter) {
        if case .failure(let error) = event { failed.finish(.failure(error)) }
        guard let edge = event.edge else { return }
        let change = machine.output(isHigh: edge.edge == .rising, at: edge.timestamp)
        context.setState("motion", machine.isMotion)
        switch change {
        case .started(let time): context.emit("started", at: time)
        case .ended(let time, let duration):
            context.emit("ended", at: time, [.init("seconds", .number(duration / .seconds(1)))])
        case nil: break
        }
    }
}

extension MotionSensor {
    public static let pin = Option("pin", .line, "the line that the sensor's output is connected to")
    static let warmUp = Option(
        "warm-up", .duration(.zero...(.seconds(600))), default: "60s",
        "how long after the board's boot the sensor is not to be trusted")

    public static let driver = Driver(
        name: "motion-sensor",
        summary: "a passive infrared motion sensor (HC-SR501)",
        options: [pin.description, warmUp.description],
        events: [
            EventDescription("started", "somebody began to move"),
            EventDescription("ended", "the sensor's output fell; `seconds` is how long it was high"),
        ],
        states: [StateDescription("motion", "the sensor's output is high, and it is warm")],
        claims: { [Driver.Claim("pin", try $0[pin])] },
        makeDevice: { try MotionSensor($0, $1) })
}
