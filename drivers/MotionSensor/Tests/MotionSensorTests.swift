import DeviceKit
import DeviceRuntime
import DriverTesting
import MotionSensorDriver
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Motion sensor")
struct MotionSensorTests {
    static let options: [String: OptionInput] = ["pin": .scalar("GPIO17")]

    @Test("False triggers of the first minute are not reported, for every seed", arguments: 0..<50)
    func warmUp(seed: UInt64) async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options, seed: seed) { harness in
            let line = try harness.board.line("GPIO17")
            let sensor = MotionSensorModel(on: line, loop: harness.loop, generator: harness.board.makeGenerator())
            try await harness.loop.sleep(until: .seconds(90))
            #expect(harness.events.isEmpty)
            sensor.move(for: .seconds(2))
            try await harness.loop.sleep(until: .seconds(120))
            #expect(harness.eventNames == ["started", "ended"])
            #expect(harness.events.map(\.timestamp) == [.seconds(90), .seconds(97)])
            #expect(harness.events.last?.fields == [Event.Field("seconds", .number(7))])
        }
    }

    @Test("Motion at the end of the warm-up is a state; its end is no event, the next start is")
    func stateAtStart() async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options) { harness in
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

    @Test("Motion that goes on is one start, however long")
    func longMotion() async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options) { harness in
            let line = try harness.board.line("GPIO17")
            let sensor = MotionSensorModel(on: line, loop: harness.loop, generator: harness.board.makeGenerator())
            try await harness.loop.sleep(until: .seconds(90))
            for _ in 0..<100 {
                sensor.move(for: .seconds(1))
                try await harness.loop.sleep(for: .seconds(3))
            }
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames == ["started", "ended"])
        }
    }

    @Test("Edges that were lost leave no wrong state", arguments: LineInterface.allCases, [40, 41])
    func lostEdges(interface: LineInterface, changes: Int) async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options, lineInterface: interface) { harness in
            let line = try harness.board.line("GPIO17")
            try await harness.loop.sleep(until: .seconds(61))
            line.setStalled(true)
            for number in 0..<changes { line.drive(number.isMultiple(of: 2) ? .high : .low) }
            line.setStalled(false)
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.state("motion") == !changes.isMultiple(of: 2))
        }
    }

    @Test("A line that fails ends the driver with the line's error, also while the sensor warms up")
    func failure() async throws {
        await #expect(throws: PeripheralError.self) {
            try await DriverHarness.run(MotionSensor.driver, Self.options) { harness in
                try harness.board.line("GPIO17").setUnplugged(true)
                try await harness.loop.sleep(for: .seconds(100))
            }
        }
    }
}
