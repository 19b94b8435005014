import DeviceKit
import DeviceRuntime
import DriverTesting
import MotionSensorDriver
import Peripherals
import SimulatedPeripherals
import Testing

/// Sensors that break, edges that get lost, and several sensors.
@Suite("A motion sensor's faults")
struct MotionFaultTests {
    static let options = MotionSensorTests.options()

    @Test("A sensor that never falls is faulty after its time, sees nobody then, and recovers")
    func stuck() async throws {
        try await DriverHarness.run(
            MotionSensor.driver, MotionSensorTests.options(["jumper": "L", "occupied-for": "1min"])
        ) { harness in
            let sensor = try MotionSensorTests.sensor(harness, .single)
            try await harness.loop.sleep(until: .seconds(90))
            sensor.stick(for: .seconds(3000))
            try await harness.loop.sleep(for: .seconds(1000))
            #expect(harness.fault == "GPIO17 does not fall")
            #expect(harness.state("faulty") == true)
            #expect(harness.state("motion") == false)
            // Taken back when it is noticed: ten minutes, and the minute of occupancy.
            #expect(harness.eventNames == ["started", "occupied", "faulty", "ended", "vacant"])
            #expect(harness.events[2].fields == [Event.Field("reason", .text("stuck"))])
            #expect(harness.events.last?.timestamp == .seconds(750))
            try await harness.loop.sleep(for: .seconds(3000))
            #expect(harness.fault == nil)
            #expect(harness.state("faulty") == false)
            sensor.move(for: .seconds(1))
            try await harness.loop.sleep(for: .seconds(20))
            #expect(harness.eventNames.suffix(4) == ["recovered", "started", "occupied", "ended"])
        }
    }

    @Test("With the jumper at H somebody may move for hours")
    func hours() async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options) { harness in
            let sensor = try MotionSensorTests.sensor(harness)
            try await harness.loop.sleep(until: .seconds(90))
            sensor.move(for: .seconds(3 * 3600))
            try await harness.loop.sleep(for: .seconds(4 * 3600))
            #expect(harness.eventNames == ["started", "ended"])
        }
    }

    @Test("An hour of a loose wire is told in few events, and then the sensor works")
    func chatter() async throws {
        try await DriverHarness.run(MotionSensor.driver, Self.options) { harness in
            let sensor = try MotionSensorTests.sensor(harness)
            try await harness.loop.sleep(until: .seconds(90))
            sensor.chatter(for: .seconds(3600))
            try await harness.loop.sleep(for: .seconds(3500))
            #expect(harness.fault == "GPIO17 chatters")
            try await harness.loop.sleep(for: .seconds(2000))
            #expect(harness.eventNames.count { $0 == "faulty" } == 1)
            #expect(harness.eventNames.last == "recovered")
            #expect(harness.events.count < 30)
            #expect(harness.fault == nil)
            sensor.move(for: .seconds(1))
            try await harness.loop.sleep(for: .seconds(20))
            #expect(harness.eventNames.suffix(2) == ["started", "ended"])
        }
    }

    @Test("Edges that were lost leave no wrong state", arguments: LineInterface.allCases, [40, 41])
    func overflow(interface: LineInterface, changes: Int) async throws {
        let options = MotionSensorTests.options(["warm-up": "0s"])
        try await DriverHarness.run(MotionSensor.driver, options, lineInterface: interface) { harness in
            let line = try harness.board.line("GPIO17")
            line.setStalled(true)
            for number in 0..<changes {
                line.drive(number.isMultiple(of: 2) ? .high : .low)
                try await harness.loop.sleep(for: .seconds(1))
            }
            line.setStalled(false)
            try await harness.loop.sleep(for: .milliseconds(100))
            #expect(harness.state("motion") == !changes.isMultiple(of: 2))
        }
    }

    @Test("A fall or a rise without an edge leaves nobody moving for ever", arguments: [true, false])
    func withoutEdge(ofFall: Bool) async throws {
        try await DriverHarness.run(MotionSensor.driver, MotionSensorTests.options(["warm-up": "0s"])) { harness in
            let line = try harness.board.line("GPIO17")
            for level in [Level.high, .low] {
                line.drive(level)
                try await harness.loop.sleep(for: .seconds(1))
            }
            if !ofFall { line.inject(LineFault(.droppedEdge)) }
            line.drive(.high)
            try await harness.loop.sleep(for: .seconds(5))
            if ofFall { line.inject(LineFault(.droppedEdge)) }
            line.drive(.low)
            try await harness.loop.sleep(for: .seconds(10))
            #expect(harness.state("motion") == false)
            // A rise that nobody saw is told when its fall shows that there was one.
            #expect(harness.eventNames == ["started", "ended", "started", "ended"])
        }
    }

    @Test("A line that fails ends the driver with the line's error at once, also while the sensor warms up")
    func failure() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let context = DeviceContext(
                name: "motion", board: board, loop: loop, logger: Logger(RecordingLogSink()),
                sink: DriverHarness(loop: loop, board: board))
            let device = try MotionSensor.driver.makeDevice(OptionValues(["pin": ["GPIO17"]]), context)
            let line = try board.line("GPIO17")
            loop.schedule(at: .seconds(5)) { line.setUnplugged(true) }
            await #expect(throws: PeripheralError.self) { try await device.run {} }
            #expect(loop.now == .seconds(5))
        }
    }

    @Test("Several sensors are one zone: somebody who walks from one to the other is one motion")
    func zone() async throws {
        let options: [String: OptionInput] = ["pin": .list(["GPIO17", "GPIO22"])]
        try await DriverHarness.run(MotionSensor.driver, options) { harness in
            let front = try MotionSensorTests.sensor(harness)
            let back = try MotionSensorTests.sensor(harness, on: "GPIO22")
            try await harness.loop.sleep(until: .seconds(90))
            front.move(for: .seconds(3))
            try await harness.loop.sleep(for: .seconds(5))
            back.move(for: .seconds(4))
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames == ["started", "ended"])
            #expect(harness.events.first?.fields == [Event.Field("line", .text("GPIO17"))])
            #expect(
                harness.events.last?.fields
                    == [Event.Field("seconds", .number(14)), Event.Field("line", .text("GPIO22"))])
            // One that is stuck does not keep the other from being seen.
            front.stick(for: .seconds(86400))
            try await harness.loop.sleep(for: .seconds(5 * 3600))
            #expect(harness.fault == "GPIO17 does not fall")
            #expect(harness.state("motion") == false)
            back.move(for: .seconds(1))
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames.suffix(2) == ["started", "ended"])
            #expect(harness.events.last?.fields.last == Event.Field("line", .text("GPIO22")))
        }
    }

    @Test("The lines of a zone are each taken once, and given back")
    func claims() async throws {
        let values = OptionValues(["pin": ["GPIO17", "GPIO22"]])
        #expect(try MotionSensor.driver.claims(values).map(\.name) == ["GPIO17", "GPIO22"])
        let board = try await DriverHarness.run(
            MotionSensor.driver, ["pin": .list(["GPIO17", "GPIO22"])]
        ) { $0.board }
        for line in ["GPIO17", "GPIO22"] {
            try await board.makeDigitalInput(line, .init(), consumer: "another").close()
        }
    }
}
