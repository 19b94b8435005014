public import DeviceKit
import DeviceRuntime
import Peripherals

/// Passive infrared motion sensors with a digital output, such as the HC-SR501: one, or several that watch one zone.
public actor MotionSensor: Device {
    private let context: DeviceContext
    private let pins: [String]
    private let configuration: DigitalInputConfiguration
    private let warmUp: Duration
    private let settings: MotionStateMachine.Settings

    private var inputs: [any DigitalInput] = []
    /// `nil` while the sensors warm up.
    private var machine: MotionStateMachine?
    private var faults: [Int: String] = [:]
    private var timer: (deadline: Duration, timer: ScheduledTimer)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pins = try options[Self.pin]
        configuration = DigitalInputConfiguration(
            bias: try options[Self.pull], activeLevel: try options[Self.active])
        warmUp = try options[Self.warmUp]
        let jumper = try options[Self.jumper]
        settings = MotionStateMachine.Settings(
            holdOff: try options[Self.holdOff] ?? jumper.holdOff, occupiedFor: try options[Self.occupiedFor],
            stuckAfter: try options[Self.stuckAfter] ?? jumper.stuckAfter)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        defer { stop() }
        let failed = Waiter()
        for (index, pin) in pins.enumerated() {
            let input = try await context.board.makeDigitalInput(pin, configuration, consumer: context.name)
            inputs.append(input)
            try input.setEventHandler { [weak self] event in
                self?.assumeIsolated { $0.handle(event, of: index, failed) }
            }
        }
        // The sensors have their power from the board: what counts is the time since its boot, not since the
        // program's start.
        context.setState("warming-up", context.clock.now < warmUp)
        wake(failed)
        ready()
        try await failed.wait()
    }

    public func perform(_ command: Command) async throws { throw DeviceError.unknownCommand(command.name) }

    private func handle(_ event: LineEvent, of sensor: Int, _ failed: Waiter) {
        if case .failure(let error) = event { failed.finish(.failure(error)) }
        guard let edge = event.edge, machine != nil else { return }
        tell(machine?.level(of: sensor, isHigh: edge.edge.level == configuration.activeLevel, at: edge.timestamp))
        armTimer(failed)
    }

    /// Reads the levels: at the end of the warm-up, and whenever the machine wants to know. An edge that got lost is
    /// found so.
    private func wake(_ failed: Waiter) {
        timer = nil
        let now = context.clock.now
        if now >= warmUp {
            do {
                let areHigh = try inputs.map { try $0.isActive() }
                if machine == nil {
                    machine = MotionStateMachine(settings, areHigh: areHigh, at: now)
                    context.setState("warming-up", false)
                    tell([])
                }
                for (index, isHigh) in areHigh.enumerated() {
                    tell(machine?.level(of: index, isHigh: isHigh, at: now))
                }
            } catch { return failed.finish(.failure(error)) }
        }
        armTimer(failed)
    }

    /// A timer that is early looks how much longer it takes: so an edge costs none.
    private func armTimer(_ failed: Waiter) {
        guard let deadline = machine.map(\.deadline) ?? warmUp else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.timer.cancel()
        let next = context.clock.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.wake(failed) } }
        timer = (deadline, next)
    }

    private func stop() {
        timer?.timer.cancel()
        timer = nil
        for input in inputs { input.close() }
        inputs = []
        machine = nil
        faults = [:]
        context.setFault(nil)
        for state in ["motion", "occupied", "warming-up", "faulty"] { context.setState(state, false) }
    }

    private func tell(_ happenings: [MotionStateMachine.Happening]?) {
        context.setState("motion", machine?.isMotion == true)
        context.setState("occupied", machine?.isOccupied == true)
        for happening in happenings ?? [] {
            switch happening {
            case .presence(.started(let time), let sensor): context.emit("started", at: time, line(sensor))
            case .presence(.ended(let time, let duration), let sensor):
                context.emit("ended", at: time, [seconds(duration)] + line(sensor))
            case .presence(.occupied(let time), let sensor): context.emit("occupied", at: time, line(sensor))
            case .presence(.vacant(let time, let duration), _):
                context.emit("vacant", at: time, duration.map { [seconds($0)] } ?? [])
            case .sensor(.faulty(let fault, let time), let sensor):
                let reason = fault == .stuck ? "stuck" : "chatters"
                setFault("\(pins[sensor]) \(reason == "stuck" ? "does not fall" : reason)", of: sensor)
                context.emit("faulty", at: time, [.init("reason", .text(reason))] + line(sensor))
            case .sensor(.recovered(let time), let sensor):
                setFault(nil, of: sensor)
                context.emit("recovered", at: time, line(sensor))
            }
        }
    }

    private func setFault(_ text: String?, of sensor: Int) {
        faults[sensor] = text
        context.setState("faulty", !faults.isEmpty)
        context.setFault(faults.isEmpty ? nil : faults.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", "))
    }

    private func seconds(_ duration: Duration) -> Event.Field { .init("seconds", .number(duration / .seconds(1))) }

    /// Which of several.
    private func line(_ sensor: Int) -> [Event.Field] {
        pins.count > 1 ? [.init("line", .text(pins[sensor]))] : []
    }
}
