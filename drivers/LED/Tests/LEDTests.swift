import DeviceKit
import DeviceRuntime
import DriverTesting
import LEDDriver
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("LED")
struct LEDTests {
    static let options: [String: OptionInput] = ["pin": .scalar("GPIO22")]

    /// Notes when the line changes, in milliseconds.
    static func changes(of line: SimulatedLine, _ harness: DriverHarness) -> Protected<[Int]> {
        let changes = Protected<[Int]>([])
        let loop = harness.loop
        line.watch { _ in changes.withLock { $0.append(Int(loop.now / .milliseconds(1))) } }
        return changes
    }

    @Test("It is dark before the first command and after the end, at either active level", arguments: Level.allCases)
    func safe(active: Level) async throws {
        let line = try await DriverHarness.run(
            LED.driver, Self.options.merging(["active": .scalar("\(active)")]) { $1 },
            prepare: { try $0.board.line("GPIO22").pull(active.inverted) }
        ) { harness in
            let line = try harness.board.line("GPIO22")
            let changes = Self.changes(of: line, harness)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(changes.withLock { $0 }.isEmpty)
            try await harness.perform(LED.driver, "on")
            #expect(line.level == active)
            #expect(harness.state("lit") == true)
            return line
        }
        #expect(line.level == active.inverted)
    }

    @Test("It blinks three times and tells when it is over")
    func blinking() async throws {
        try await DriverHarness.run(LED.driver, Self.options) { harness in
            let changes = Self.changes(of: try harness.board.line("GPIO22"), harness)
            try await harness.perform(
                LED.driver, "blink", ["times": .scalar("3"), "on": .scalar("100ms"), "off": .scalar("400ms")])
            #expect(harness.state("blinking") == true)
            try await harness.loop.sleep(for: .seconds(60))
            #expect(changes.withLock { $0 } == [0, 100, 500, 600, 1000, 1100])
            #expect(harness.eventNames == ["finished"])
            #expect(harness.state("blinking") == false)
            #expect(harness.state("lit") == false)
        }
    }

    @Test("A pulse lights it once; another command during it takes its place")
    func pulse() async throws {
        try await DriverHarness.run(LED.driver, Self.options) { harness in
            let line = try harness.board.line("GPIO22")
            try await harness.perform(LED.driver, "pulse", ["for": .scalar("2s")])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(line.level == .high)
            try await harness.loop.sleep(for: .milliseconds(1001))
            #expect(line.level == .low)
            try await harness.perform(LED.driver, "pulse")
            try await harness.perform(LED.driver, "on")
            try await harness.loop.sleep(for: .seconds(5))
            #expect(line.level == .high)
            #expect(harness.eventNames == ["finished"])
        }
    }

    @Test("A line that fails ends the driver with the line's error")
    func failure() async throws {
        await #expect(throws: PeripheralError.self) {
            try await DriverHarness.run(LED.driver, Self.options) { harness in
                try harness.board.line("GPIO22").setUnplugged(true)
                try await harness.perform(LED.driver, "on")
                try await harness.loop.sleep(for: .seconds(1))
            }
        }
    }
}
