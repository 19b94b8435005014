import ButtonDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Button")
struct ButtonTests {
    @Test(
        "A bouncing contact is one press and one release, dated to its first edge, for every seed", arguments: 0..<200)
    func bouncing(seed: UInt64) async throws {
        let events = try await DriverHarness.run(
            Button.driver, ["pin": .scalar("GPIO27")], seed: seed
        ) { harness in
            let line = try harness.board.line("GPIO27")
            let button = PushButtonModel(on: line, loop: harness.loop, generator: harness.board.makeGenerator())
            try await harness.loop.sleep(until: .seconds(1))
            button.press(for: .milliseconds(150))
            try await harness.loop.sleep(until: .seconds(2))
            return harness.events
        }
        #expect(events.map(\.name) == ["pressed", "released"])
        #expect(events.map(\.timestamp) == [.seconds(1), .milliseconds(1150)])
        #expect(events.last?.fields == [Event.Field("seconds", .number(0.15))])
    }

    @Test(
        "The level when pressed follows the pull, or what is said",
        arguments: [
            (["pull": "up"], Level.low), (["pull": "down"], .high), (["pull": "none"], .low),
            (["pull": "none", "active": "high"], .high), (["pull": "up", "active": "high"], .high),
        ])
    func activeLevel(options: [String: String], pressed: Level) async throws {
        let inputs = options.mapValues { OptionInput.scalar($0) }.merging(["pin": .scalar("GPIO5")]) { $1 }
        let prepare: @Sendable (DriverHarness) throws -> Void = { try $0.board.line("GPIO5").drive(pressed.inverted) }
        let names = try await DriverHarness.run(Button.driver, inputs, prepare: prepare) { harness in
            let line = try harness.board.line("GPIO5")
            line.drive(pressed)
            try await harness.loop.sleep(for: .seconds(1))
            return harness.eventNames
        }
        #expect(names == ["pressed"])
    }

    @Test("A button that is held at the start is a state, not an event; its release is one")
    func heldAtStart() async throws {
        let prepare: @Sendable (DriverHarness) throws -> Void = { try $0.board.line("GPIO5").drive(.low) }
        try await DriverHarness.run(Button.driver, ["pin": .scalar("GPIO5")], prepare: prepare) { harness in
            #expect(harness.state("pressed") == true)
            #expect(harness.events.isEmpty)
            try harness.board.line("GPIO5").drive(.high)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["released"])
            #expect(harness.state("pressed") == false)
        }
    }

    @Test("A pulse shorter than the settle time is no press, and the next press is whole")
    func glitch() async throws {
        try await DriverHarness.run(Button.driver, ["pin": .scalar("GPIO5")]) { harness in
            let line = try harness.board.line("GPIO5")
            line.drive(.low)
            try await harness.loop.sleep(for: .milliseconds(19))
            line.drive(nil)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.isEmpty)
            line.drive(.low)
            try await harness.loop.sleep(for: .milliseconds(21))
            line.drive(nil)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["pressed", "released"])
        }
    }

    @Test("Stopping gives the line back")
    func stopping() async throws {
        let board = try await DriverHarness.run(Button.driver, ["pin": .scalar("GPIO5")]) { harness in
            await #expect(throws: PeripheralError.self) {
                _ = try await harness.board.makeDigitalInput("GPIO5", .init(), consumer: "another")
            }
            return harness.board
        }
        let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "another")
        input.close()
    }

    @Test(
        "Edges that were lost leave no wrong state: what counts is the level at the end",
        arguments: LineInterface.allCases, [40, 41])
    func lostEdges(interface: LineInterface, changes: Int) async throws {
        try await DriverHarness.run(Button.driver, ["pin": .scalar("GPIO5")], lineInterface: interface) { harness in
            let line = try harness.board.line("GPIO5")
            line.setStalled(true)
            for number in 0..<changes { line.drive(number.isMultiple(of: 2) ? .low : nil) }
            line.setStalled(false)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.state("pressed") == !changes.isMultiple(of: 2))
        }
    }

    @Test("A line that fails ends the driver with the line's error, so that it is run again")
    func failure() async throws {
        await #expect(throws: PeripheralError.self) {
            try await DriverHarness.run(Button.driver, ["pin": .scalar("GPIO5")]) { harness in
                try harness.board.line("GPIO5").setUnplugged(true)
                try await harness.loop.sleep(for: .seconds(1))
            }
        }
    }
}
