import BoardScripts
public import DeviceKit
public import DeviceRuntime
import Peripherals
public import SimulatedPeripherals
import Testing

/// One device on a simulated board in virtual time: what a driver's test needs.
public final class DriverHarness: DeviceSink {
    public let loop: EventLoop
    public let board: SimulatedBoard
    private let device: Protected<(any Device)?> = Protected(nil)
    private struct Record {
        var events: [Event] = []
        var states: [String: Bool] = [:]
        var fault: String?
        /// Of the device that runs.
        var driver: Driver?
        var problems: Set<String> = []
    }
    private let recorded = Protected(Record())
    private let followers = Followers()
    private let player: Protected<ScriptPlayer?> = Protected(nil)

    public init(loop: EventLoop, board: SimulatedBoard) {
        self.loop = loop
        self.board = board
    }

    /// Runs `body` on a board of its own beside the device, which is stopped afterwards; `prepare` attaches parts before
    /// it starts. For `script` see ``run(_:name:_:script:_:)``.
    public static func run<Value: Sendable>(
        _ driver: Driver, name: String = "part", _ options: [String: OptionInput] = [:], seed: UInt64 = 0,
        lineInterface: LineInterface = .libgpiod2, script: String = "",
        prepare: @escaping @Sendable (DriverHarness) throws -> Void = { _ in },
        _ body: @escaping @Sendable (DriverHarness) async throws -> Value
    ) async throws -> Value {
        try await EventLoop.run(time: .virtual) { loop in
            let harness = DriverHarness(
                loop: loop, board: SimulatedBoard(loop: loop, seed: seed, lineInterface: lineInterface))
            try prepare(harness)
            return try await harness.run(driver, name: name, options, script: script) { try await body(harness) }
        }
    }

    /// Runs `body` on a board of its own beside the device and the part that `connect` has attached before it starts.
    public static func run<Part: Sendable, Value: Sendable>(
        _ driver: Driver, name: String = "part", _ options: [String: OptionInput] = [:], seed: UInt64 = 0,
        lineInterface: LineInterface = .libgpiod2,
        connecting connect: @escaping @Sendable (SimulatedBoard, OptionValues) throws -> Part,
        _ body: @escaping @Sendable (DriverHarness, Part) async throws -> Value
    ) async throws -> Value {
        try await EventLoop.run(time: .virtual) { loop in
            let harness = DriverHarness(
                loop: loop, board: SimulatedBoard(loop: loop, seed: seed, lineInterface: lineInterface))
            let part = try connect(harness.board, try driver.values(of: options))
            return try await harness.run(driver, name: name, options) { try await body(harness, part) }
        }
    }

    /// Runs `body` beside the device, which is stopped afterwards.
    ///
    /// What the device tells must stand in the driver's tables: anything else is an issue of the test. With a `script`
    /// (docs/scripts.md) it must do what that says, and gets its answers; what the script does not mention is the
    /// simulated board's. Throws the first `ScriptDifference`, `ScriptSyntaxError`, or what the device throws.
    public func run<Value: Sendable>(
        _ driver: Driver, name: String = "part", _ options: [String: OptionInput] = [:], script: String = "",
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let values = try driver.values(of: options)
        let board = try await play(script)
        let context = DeviceContext(
            name: name, board: board, loop: loop, logger: Logger(RecordingLogSink()), sink: self)
        let device = try driver.makeDevice(values, context)
        self.device.withLock { $0 = device }
        // The device holds its context, and that the harness.
        defer { self.device.withLock { $0 = nil } }
        recorded.withLock { ($0.driver, $0.problems) = (driver, []) }
        defer { for problem in recorded.withLock({ $0.problems }).sorted() { Issue.record("\(problem)") } }
        return try await finishingScript { try await run(device, body) }
    }

    private func run<Value: Sendable>(
        _ device: any Device, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let ready = Waiter()
            group.addTask {
                do { try await device.run { ready.finish() } } catch {
                    ready.finish(.failure(error))
                    throw error
                }
            }
            try await ready.value()
            let value = try await body()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
            return value
        }
    }

    /// The board that the device is given: a recorded script begins when the board had been up for as long as then.
    private func play(_ text: String) async throws -> any Board {
        let script = try BoardScript(text)
        player.withLock { $0 = nil }
        if script.lines.isEmpty { return board }
        if let start = script.start { try await loop.sleep(until: start.uptime) }
        let player = ScriptPlayer(script, loop: loop)
        self.player.withLock { $0 = player }
        return ScriptBoard(playing: player, over: board)
    }

    /// A difference from the script says more than the error that follows from it.
    private func finishingScript<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            try player.withLock { $0 }?.finish()
            return value
        } catch {
            throw player.withLock { $0 }?.difference ?? error
        }
    }

    /// Gives the device a command with arguments as a configuration has them.
    public func perform(_ driver: Driver, _ name: String, _ arguments: [String: OptionInput] = [:]) async throws {
        let description = driver.commands.first { $0.name == name }
        let values = try OptionValues(validating: arguments, against: description?.arguments ?? [])
        try await device.withLock { $0 }?.perform(Command(name: name, arguments: values))
    }

    public var events: [Event] { recorded.withLock { $0.events } }

    /// `pressed`, `released`: the names alone.
    public var eventNames: [String] { events.map(\.name) }

    public func state(_ name: String) -> Bool? { recorded.withLock { $0.states[name] } }

    public func emit(_ event: Event) {
        recorded.withLock { recorded in
            recorded.events.append(event)
            recorded.problems.formUnion(recorded.driver?.problems(with: event) ?? [])
        }
        player.withLock { $0 }?.note(event)
    }

    public func setState(device: String, state: String, _ value: Bool) {
        recorded.withLock { recorded in
            recorded.states[state] = value
            if let driver = recorded.driver, !driver.states.contains(where: { $0.name == state }) {
                recorded.problems.insert("\(driver.name) has no state '\(state)' in its table")
            }
        }
    }

    /// What is wrong with the part, as the device says.
    public var fault: String? { recorded.withLock { $0.fault } }

    public func setFault(device: String, _ reason: String?) { recorded.withLock { $0.fault = reason } }

    /// Lets another device tell something, to those who follow it.
    public func tell(_ event: Event) -> Passing { followers.pass(event) }

    public func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following {
        followers.follow(device, handler)
    }

    public func makePayloadPath() -> String { "/tmp/perch-test-\(ObjectIdentifier(self).hashValue)" }
}

extension Driver {
    /// Where an event differs from what the table says of it.
    fileprivate func problems(with event: Event) -> [String] {
        guard let description = events.first(where: { $0.name == event.name }) else {
            return ["\(name) has no event '\(event.name)' in its table"]
        }
        return event.fields.compactMap { field in
            guard let entry = description.fields.first(where: { $0.name == field.name }) else {
                return "\(name): '\(event.name)' has no field '\(field.name)' in its table"
            }
            if entry.kind == field.value.kind { return nil }
            return "\(name): '\(event.name)' has \(field.name) = \(field.value), which is no \(entry.kind.rawValue)"
        }
    }

    func values(of inputs: [String: OptionInput]) throws -> OptionValues {
        try OptionValues(validating: inputs, against: options)
    }
}

extension OptionValues {
    struct Rejected: Error { let option: String }

    init(validating inputs: [String: OptionInput], against table: [OptionDescription]) throws {
        var values: [String: any Sendable] = [:]
        for (name, input) in inputs {
            guard let option = table.first(where: { $0.name == name }), let value = option.parse(input) else {
                throw Rejected(option: name)
            }
            values[name] = value
        }
        self.init(values)
    }
}
