import DeviceKit
import DeviceRuntime
import DriverTesting
import MotionSensorDriver
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Motion sensor")
struct MotionSensorTests {
    static func options(_ options: [String: String] = [:]) -> [String: OptionInput] {
        ["pin": .scalar("GPIO17")].merging(options.mapValues { .scalar($0) }) { $1 }
    }

    static func sensor(
        _ harness: DriverHarness, _ jumper: MotionSensorModel.Jumper = .retriggering, on line: String = "GPIO17"
    ) throws -> MotionSensorModel {
        MotionSensorModel(
            on: try harness.board.line(line), loop: harness.loop, jumper: jumper,
            generator: harness.board.makeGenerator())
    }

    @Test("False triggers of the first minute are not reported, for every seed", arguments: 0..<50)
    func warmUp(seed: UInt64) async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options(), seed: seed) { harness in
            let sensor = try Self.sensor(harness)
            #expect(harness.state("warming-up") == true)
            try await harness.loop.sleep(until: .seconds(90))
            #expect(harness.state("warming-up") == false)
            #expect(harness.events.isEmpty)
            sensor.move(for: .seconds(2))
            try await harness.loop.sleep(until: .seconds(120))
            #expect(harness.eventNames == ["started", "ended"])
            #expect(harness.events.map(\.timestamp) == [.seconds(90), .seconds(97)])
            #expect(harness.events.last?.fields == [Event.Field("seconds", .number(7))])
        }
    }

    @Test("The warm-up counts from the board's boot: a driver that starts later, or again, does not wait for it")
    func uptime() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            try await loop.sleep(until: .seconds(70))
            let board = SimulatedBoard(loop: loop)
            let harness = DriverHarness(loop: loop, board: board)
            try await harness.run(MotionSensor.driver, Self.options()) {
                try board.line("GPIO17").drive(.high)
                try await loop.sleep(for: .seconds(1))
                #expect(harness.eventNames == ["started"])
            }
        }
    }

    @Test("Motion at the end of the warm-up is a state; its end is no event, the next start is")
    func stateAtStart() async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options()) { harness in
            let line = try harness.board.line("GPIO17")
            line.drive(.high)
            try await harness.loop.sleep(until: .seconds(61))
            #expect(harness.state("motion") == true)
            line.drive(.low)
            try await harness.loop.sleep(until: .seconds(70))
            #expect(harness.state("motion") == false)
            #expect(harness.events.isEmpty)
            line.drive(.high)
            try await harness.loop.sleep(until: .seconds(71))
            #expect(harness.eventNames == ["started"])
        }
    }

    @Test(
        "Motion that goes on is one start, however long, with either jumper",
        arguments: [("H", MotionSensorModel.Jumper.retriggering), ("L", .single)])
    func longMotion(jumper: String, model: MotionSensorModel.Jumper) async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options(["jumper": jumper])) { harness in
            let edges = Protected(0)
            try harness.board.line("GPIO17").watch { _ in edges.withLock { $0 += 1 } }
            let sensor = try Self.sensor(harness, model)
            try await harness.loop.sleep(until: .seconds(90))
            let before = edges.withLock { $0 }
            for _ in 0..<100 {
                sensor.move(for: .seconds(1))
                try await harness.loop.sleep(for: .seconds(3))
            }
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames == ["started", "ended"])
            // With a single trigger the wire tells it dozens of times.
            #expect((edges.withLock { $0 } - before > 50) == (model == .single))
        }
    }

    @Test("With a single trigger and no hold-off each fall of the output is an end")
    func noHoldOff() async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options(["jumper": "L", "hold-off": "0s"])) { harness in
            let sensor = try Self.sensor(harness, .single)
            try await harness.loop.sleep(until: .seconds(90))
            sensor.move(for: .seconds(20))
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames == ["started", "ended", "started", "ended", "started", "ended"])
        }
    }

    @Test("Occupancy begins with the first motion and ends a while after the last one")
    func occupancy() async throws {
        let options = Self.options(["occupied-for": "5min"])
        try await DriverHarness.run(MotionSensor.driver, options) { harness in
            let sensor = try Self.sensor(harness)
            try await harness.loop.sleep(until: .seconds(90))
            for _ in 0..<3 {
                sensor.move(for: .seconds(5))
                try await harness.loop.sleep(for: .seconds(200))
                #expect(harness.state("occupied") == true)
            }
            try await harness.loop.sleep(for: .seconds(600))
            #expect(harness.state("occupied") == false)
            #expect(
                harness.eventNames == [
                    "started", "occupied", "ended", "started", "ended", "started", "ended", "vacant",
                ])
            // The last motion ended at 500 s: it began at 490 s, and the output falls 5 s after it.
            #expect(harness.events.last?.timestamp == .seconds(800))
            #expect(harness.events.last?.fields == [Event.Field("seconds", .number(710))])
        }
    }

    @Test("A sensor that is active low")
    func activeLow() async throws {
        let prepare: @Sendable (DriverHarness) throws -> Void = { try $0.board.line("GPIO17").drive(.high) }
        let options = Self.options(["active": "low", "pull": "up", "warm-up": "0s"])
        try await DriverHarness.run(MotionSensor.driver, options, prepare: prepare) { harness in
            #expect(harness.state("motion") == false)
            try harness.board.line("GPIO17").drive(.low)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["started"])
        }
    }
}
