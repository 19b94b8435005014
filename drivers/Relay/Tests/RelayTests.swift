import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import RelayDriver
import SimulatedPeripherals
import Testing

@Suite("Relay")
struct RelayTests {
    static let options: [String: OptionInput] = ["pin": .scalar("GPIO5")]

    static func options(_ more: [String: String]) -> [String: OptionInput] {
        options.merging(more.mapValues { .scalar($0) }) { $1 }
    }

    @Test(
        "The line is never at another level than the safe one before the first command and after the end",
        arguments: Level.allCases, [false, true])
    func safe(active: Level, isSafeOn: Bool) async throws {
        let safe = isSafeOn ? active : active.inverted
        let options = Self.options(["active": "\(active)", "safe": isSafeOn ? "on" : "off"])
        let line = try await DriverHarness.run(
            Relay.driver, options, prepare: { try $0.board.line("GPIO5").pull(safe) }
        ) { harness in
            let line = try harness.board.line("GPIO5")
            let changes = Protected(0)
            line.watch { _ in changes.withLock { $0 += 1 } }
            try await harness.loop.sleep(for: .seconds(10))
            #expect(changes.withLock { $0 } == 0)
            #expect(harness.state("on") == isSafeOn)
            try await harness.perform(Relay.driver, "toggle")
            #expect(line.level == safe.inverted)
            #expect(harness.eventNames == [isSafeOn ? "switched-off" : "switched-on"])
            return line
        }
        #expect(line.level == safe)
    }

    @Test("Orders wait for the shortest times; each switching is an event with how long it was on")
    func shortestTimes() async throws {
        let options = Self.options(["minimum-on": "1min", "minimum-off": "3min"])
        try await DriverHarness.run(Relay.driver, options) { harness in
            try await harness.perform(Relay.driver, "pulse", ["for": .scalar("10s")])
            #expect(harness.state("waiting") == true)
            try await harness.loop.sleep(for: .seconds(3600))
            #expect(harness.eventNames == ["switched-on", "switched-off"])
            #expect(harness.events.map(\.timestamp) == [.seconds(180), .seconds(240)])
            #expect(harness.events.last?.fields == [Event.Field("seconds", .number(60))])
            #expect(harness.state("waiting") == false)
        }
    }

    @Test("What is on for too long is cut off and told")
    func cutOff() async throws {
        try await DriverHarness.run(Relay.driver, Self.options(["longest-on": "20min"])) { harness in
            try await harness.perform(Relay.driver, "on")
            try await harness.loop.sleep(for: .seconds(7200))
            #expect(harness.eventNames == ["switched-on", "switched-off", "cut-off"])
            #expect(harness.events.last?.timestamp == .seconds(1200))
            #expect(try harness.board.line("GPIO5").level == .low)
        }
    }

    @Test("A stop puts it to the safe state at once, and that is told")
    func stop() async throws {
        let harness = try await DriverHarness.run(Relay.driver, Self.options(["minimum-on": "1h"])) { harness in
            try await harness.perform(Relay.driver, "on")
            try await harness.loop.sleep(for: .seconds(10))
            return harness
        }
        #expect(harness.eventNames == ["switched-on", "switched-off"])
        #expect(harness.state("on") == false)
    }

    @Test("A line that fails ends the driver with the line's error, and nothing is claimed of the relay")
    func failure() async throws {
        let told = Protected<DriverHarness?>(nil)
        await #expect(throws: PeripheralError.self) {
            try await DriverHarness.run(Relay.driver, Self.options) { harness in
                told.withLock { $0 = harness }
                try await harness.perform(Relay.driver, "on")
                try harness.board.line("GPIO5").setUnplugged(true)
                try await harness.perform(Relay.driver, "off")
                try await harness.loop.sleep(for: .seconds(1))
            }
        }
        #expect(told.withLock { $0 }?.eventNames == ["switched-on"])
    }
}
