import ButtonDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Button")
struct ButtonTests {
    static func options(_ options: [String: String] = [:]) -> [String: OptionInput] {
        options.merging(["pin": "GPIO5"]) { $1 }.mapValues { .scalar($0) }
    }

    /// Presses a bouncing button for so long, and returns what was told.
    static func press(
        _ options: [String: String] = [:], for duration: Duration, times: Int = 1,
        bounce: PushButtonModel.Bounce = .average, seed: UInt64 = 0
    ) async throws -> [Event] {
        try await DriverHarness.run(Button.driver, Self.options(options), seed: seed) { harness in
            let button = PushButtonModel(
                on: try harness.board.line("GPIO5"), loop: harness.loop, bounce: bounce,
                generator: harness.board.makeGenerator())
            try await harness.loop.sleep(until: .seconds(1))
            button.press(for: duration, times: times, pause: .milliseconds(150))
            try await harness.loop.sleep(for: .seconds(10))
            return harness.events
        }
    }

    @Test("10,000 bouncing presses are 10,000 presses and releases, each dated to its first edge")
    func bouncing() async throws {
        for seed in 0..<10_000 as Range<UInt64> {
            let events = try await Self.press(for: .milliseconds(150), seed: seed)
            #expect(events.map(\.name) == ["pressed", "released"], "seed \(seed)")
            #expect(events.map(\.timestamp) == [.seconds(1), .milliseconds(1150)], "seed \(seed)")
            #expect(events.last?.fields == [Event.Field("seconds", .number(0.15))], "seed \(seed)")
        }
    }

    @Test("With a lock-out the press is told with its first edge, and neither chatter nor release is lost")
    func lockOut() async throws {
        for seed in 0..<1000 as Range<UInt64> {
            let told = try await DriverHarness.run(Button.driver, Self.options(["lock-out": "30ms"]), seed: seed) {
                harness in
                let button = PushButtonModel(
                    on: try harness.board.line("GPIO5"), loop: harness.loop, generator: harness.board.makeGenerator())
                try await harness.loop.sleep(until: .seconds(1))
                button.press(for: .milliseconds(15))
                try await harness.loop.sleep(for: .microseconds(1))
                let first = harness.eventNames
                try await harness.loop.sleep(for: .seconds(1))
                return (first, harness.eventNames, harness.state("pressed"))
            }
            #expect(told.0 == ["pressed"], "seed \(seed)")
            #expect(told.1 == ["pressed", "released"], "seed \(seed)")
            #expect(told.2 == false)
        }
    }

    @Test("A worn switch is right with a longer settle time", arguments: 0..<200)
    func worn(seed: UInt64) async throws {
        let events = try await Self.press(["settle": "100ms"], for: .milliseconds(300), bounce: .worn, seed: seed)
        #expect(events.map(\.name) == ["pressed", "released"])
    }

    @Test(
        "Any settle time works, from half a millisecond to a second, on each interface",
        arguments: ["500us", "20ms", "1s"], LineInterface.allCases)
    func settleTimes(settle: String, interface: LineInterface) async throws {
        try await DriverHarness.run(Button.driver, Self.options(["settle": settle]), lineInterface: interface) {
            harness in
            let line = try harness.board.line("GPIO5")
            let wait = try #require(Duration(configurationText: settle))
            line.drive(.low)
            try await harness.loop.sleep(for: wait - .nanoseconds(1))
            #expect(harness.events.isEmpty)
            try await harness.loop.sleep(for: .nanoseconds(1))
            #expect(harness.eventNames == ["pressed"])
        }
    }

    @Test(
        "The level when pressed follows the pull, or what is said",
        arguments: [
            (["pull": "up"], Level.low), (["pull": "down"], .high), (["pull": "none"], .low),
            (["pull": "none", "active": "high"], .high), (["pull": "up", "active": "high"], .high),
            (["pull": "as-is", "active": "by-pull"], .low),
        ])
    func activeLevel(options: [String: String], pressed: Level) async throws {
        let prepare: @Sendable (DriverHarness) throws -> Void = { try $0.board.line("GPIO5").drive(pressed.inverted) }
        let names = try await DriverHarness.run(Button.driver, Self.options(options), prepare: prepare) { harness in
            let line = try harness.board.line("GPIO5")
            line.drive(pressed)
            try await harness.loop.sleep(for: .seconds(1))
            return harness.eventNames
        }
        #expect(names == ["pressed"])
    }

    @Test("A button that is held at the start is a state; its release is an event without a length, and no click")
    func heldAtStart() async throws {
        let prepare: @Sendable (DriverHarness) throws -> Void = { try $0.board.line("GPIO5").drive(.low) }
        let options = Self.options(["clicks": "1", "long-press": "100ms", "repeat": "100ms"])
        try await DriverHarness.run(Button.driver, options, prepare: prepare) { harness in
            #expect(harness.state("pressed") == true)
            try await harness.loop.sleep(for: .seconds(5))
            #expect(harness.events.isEmpty)
            try harness.board.line("GPIO5").drive(.high)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["released"])
            #expect(harness.events.first?.fields == [])
            #expect(harness.state("pressed") == false)
        }
    }

    @Test("Stopping gives the line back, at once and at any time", arguments: [0, 10])
    func stopping(milliseconds: Int) async throws {
        let board = try await DriverHarness.run(Button.driver, Self.options()) { harness in
            await #expect(throws: PeripheralError.self) {
                _ = try await harness.board.makeDigitalInput("GPIO5", .init(), consumer: "another")
            }
            try harness.board.line("GPIO5").drive(.low)
            try await harness.loop.sleep(for: .milliseconds(milliseconds))
            return harness.board
        }
        let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "another")
        input.close()
    }

    @Test("A line that another program holds is an error with its name")
    func held() async throws {
        let prepare: @Sendable (DriverHarness) throws -> Void = {
            try $0.board.line("GPIO5").ownership.hold(by: "gpio-keys")
        }
        do {
            try await DriverHarness.run(Button.driver, Self.options(), prepare: prepare) { _ in }
            Issue.record("it was opened")
        } catch let error as PeripheralError {
            #expect(error.code == .busy)
            #expect(error.description.contains("'gpio-keys'"))
        }
    }

    @Test("A line that fails ends the driver with the line's error, so that it is run again")
    func failure() async throws {
        await #expect(throws: PeripheralError.self) {
            try await DriverHarness.run(Button.driver, Self.options()) { harness in
                try harness.board.line("GPIO5").setUnplugged(true)
                try await harness.loop.sleep(for: .seconds(1))
            }
        }
    }
}
