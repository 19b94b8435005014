import ButtonDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

/// What goes wrong on a wire and in a kernel.
@Suite("A button's faults")
struct ButtonLossTests {
    static let options = ButtonTests.options()

    @Test("Pulses that are too short are counted: the first at once, a thousand more in one event a minute later")
    func glitches() async throws {
        try await DriverHarness.run(Button.driver, Self.options) { harness in
            let line = try harness.board.line("GPIO5")
            for _ in 0..<1001 {
                line.drive(.low)
                try await harness.loop.sleep(for: .milliseconds(5))
                line.drive(nil)
                try await harness.loop.sleep(for: .milliseconds(25))
            }
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames == ["glitched", "glitched"])
            let counts = harness.events.compactMap(\.fields.first?.value)
            #expect(counts == [.integer(1), .integer(1000)])
            // The next press is whole.
            line.drive(.low)
            try await harness.loop.sleep(for: .milliseconds(21))
            line.drive(nil)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames.suffix(2) == ["pressed", "released"])
        }
    }

    @Test(
        "Edges that were lost leave no wrong state: what counts is the level at the end",
        arguments: LineInterface.allCases, [40, 41])
    func overflow(interface: LineInterface, changes: Int) async throws {
        try await DriverHarness.run(Button.driver, Self.options, lineInterface: interface) { harness in
            let line = try harness.board.line("GPIO5")
            line.setStalled(true)
            for number in 0..<changes { line.drive(number.isMultiple(of: 2) ? .low : nil) }
            line.setStalled(false)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.state("pressed") == !changes.isMultiple(of: 2))
            // Lost or not, something is told.
            #expect(harness.eventNames == [changes.isMultiple(of: 2) ? "glitched" : "pressed"])
        }
    }

    @Test("Edges that are known to be lost are chatter too: the contact must be quiet after them")
    func lostChatter() async throws {
        try await DriverHarness.run(Button.driver, Self.options, lineInterface: .libgpiod1) { harness in
            let line = try harness.board.line("GPIO5")
            line.setStalled(true)
            for number in 0..<16 { line.drive(number.isMultiple(of: 2) ? .low : nil) }
            try await harness.loop.sleep(for: .milliseconds(15))
            // No place in the queue for these.
            for level in [Level.low, nil] { line.drive(level) }
            line.setStalled(false)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["glitched"])
            #expect(harness.events.first?.timestamp == .milliseconds(35))
        }
    }

    @Test(
        "A release without an edge is found when the level is read again, and is neither a click nor a long press",
        arguments: [["clicks": "1"], ["clicks": "1", "long-press": "2s", "repeat": "1s", "repeat-after": "700ms"]])
    func releaseWithoutEdge(options: [String: String]) async throws {
        try await DriverHarness.run(Button.driver, ButtonTests.options(options)) { harness in
            let line = try harness.board.line("GPIO5")
            line.drive(.low)
            try await harness.loop.sleep(for: .milliseconds(500))
            line.inject(LineFault(.droppedEdge))
            line.drive(nil)
            try await harness.loop.sleep(for: .seconds(2))
            #expect(harness.eventNames == ["pressed", "released"])
            #expect(harness.state("pressed") == false)
            // And nothing wakes it any more for a button that is up.
            line.drive(.low)
            try await harness.loop.sleep(for: .milliseconds(100))
            line.drive(nil)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames.suffix(3) == ["pressed", "released", "clicked"])
        }
    }

    @Test("A press without an edge is told as a glitch when its release is seen", arguments: LineInterface.allCases)
    func pressWithoutEdge(interface: LineInterface) async throws {
        try await DriverHarness.run(Button.driver, Self.options, lineInterface: interface) { harness in
            let line = try harness.board.line("GPIO5")
            line.inject(LineFault(.droppedEdge))
            line.drive(.low)
            try await harness.loop.sleep(for: .milliseconds(100))
            line.drive(nil)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["glitched"])
            #expect(harness.state("pressed") == false)
        }
    }

    @Test("A program that stood still for seconds tells what was pressed meanwhile, with its times")
    func stall() async throws {
        let options = ButtonTests.options(["clicks": "2", "long-press": "1s"])
        try await DriverHarness.run(Button.driver, options) { harness in
            let line = try harness.board.line("GPIO5")
            line.setStalled(true)
            for (number, wait) in [100, 200, 100, 900, 1500, 400].enumerated() {
                line.drive(number.isMultiple(of: 2) ? .low : .high)
                try await harness.loop.sleep(for: .milliseconds(wait))
            }
            line.setStalled(false)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(
                harness.eventNames == [
                    "pressed", "released", "pressed", "released", "double-clicked", "pressed", "long-pressed",
                    "released",
                ])
            let times = harness.events.map { Int($0.timestamp / .milliseconds(1)) }
            #expect(times == [0, 100, 300, 400, 400, 1300, 2300, 2800])
        }
    }

    @Test("10,000 presses of a millisecond are 10,000 presses where nothing is debounced")
    func short() async throws {
        let names = try await DriverHarness.run(Button.driver, ButtonTests.options(["settle": "0s"])) { harness in
            let line = try harness.board.line("GPIO5")
            for _ in 0..<10_000 {
                line.drive(.low)
                try await harness.loop.sleep(for: .milliseconds(1))
                line.drive(nil)
                try await harness.loop.sleep(for: .milliseconds(1))
            }
            return harness.eventNames
        }
        #expect(names.count { $0 == "pressed" } == 10_000)
        #expect(names.count { $0 == "released" } == 10_000)
        #expect(names.count == 20_000)
    }

    @Test("A wire that hums is a fault of the part until it is quiet")
    func hum() async throws {
        try await DriverHarness.run(Button.driver, Self.options) { harness in
            let line = try harness.board.line("GPIO5")
            for _ in 0..<150 {
                line.drive(.low)
                try await harness.loop.sleep(for: .milliseconds(10))
                line.drive(.high)
                try await harness.loop.sleep(for: .milliseconds(10))
            }
            #expect(harness.fault == "GPIO5 chatters without coming to rest")
            #expect(harness.events.isEmpty)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.fault == nil)
            #expect(harness.eventNames == ["glitched"])
        }
    }
}
