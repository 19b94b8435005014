import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("The simulated motion sensor")
struct MotionSensorModelTests {
    /// The seconds at which the output changes.
    private static func changes(
        _ jumper: MotionSensorModel.Jumper = .retriggering, seed: UInt64 = 0, from start: Double = 100,
        _ body: @escaping @Sendable (MotionSensorModel, EventLoop) async throws -> Void
    ) async throws -> [Double] {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop, seed: seed)
            let line = try board.line("GPIO17")
            let times = Protected<[Double]>([])
            line.watch { _ in times.withLock { $0.append(loop.now / .seconds(1)) } }
            let sensor = MotionSensorModel(on: line, loop: loop, jumper: jumper, generator: board.makeGenerator())
            try await loop.sleep(until: .seconds(start))
            try await body(sensor, loop)
            try await loop.sleep(for: .seconds(60))
            return times.withLock { $0.filter { $0 >= start }.map { $0 - start } }
        }
    }

    @Test("With the jumper at H it is high while somebody moves and 5 s longer, and blind for 2.5 s after")
    func retriggering() async throws {
        let one = try await Self.changes { sensor, _ in sensor.move(for: .seconds(20)) }
        #expect(one == [0, 25])
        let blind = try await Self.changes { sensor, loop in
            sensor.move(for: .seconds(1))
            try await loop.sleep(for: .seconds(7))
            // The output fell at 6: until 8.5 it sees nothing, then that somebody still moves.
            sensor.move(for: .seconds(3))
        }
        #expect(blind == [0, 6, 8.5, 15])
        let unseen = try await Self.changes { sensor, loop in
            sensor.move(for: .seconds(1))
            try await loop.sleep(for: .seconds(7))
            sensor.move(for: .seconds(1))
        }
        #expect(unseen == [0, 6])
    }

    @Test("With the jumper at L it falls after 5 s whatever happens, and rises again after its blind time")
    func single() async throws {
        let changes = try await Self.changes(.single) { sensor, _ in sensor.move(for: .seconds(16)) }
        #expect(changes == [0, 5, 7.5, 12.5, 15, 20])
    }

    @Test("In its first minute it triggers up to three times by itself, and never after")
    func warmUp() async throws {
        var counts: Set<Int> = []
        for seed in 0..<100 as Range<UInt64> {
            let rises = try await Self.changes(seed: seed, from: 0) { sensor, loop in
                try await loop.sleep(until: .seconds(60))
                #expect(!sensor.isActive)
            }
            #expect(rises.allSatisfy { $0 < 60 })
            counts.insert(rises.count / 2)
        }
        #expect(counts == [0, 1, 2, 3])
    }

    @Test("Broken, its output does what a broken one does, and then again what it sees")
    func faults() async throws {
        let stuck = try await Self.changes { sensor, loop in
            sensor.stick(for: .seconds(30))
            sensor.move(for: .seconds(1))
            #expect(sensor.isMoving)
        }
        #expect(stuck == [0, 30])
        let loose = try await Self.changes { sensor, _ in sensor.chatter(for: .seconds(1)) }
        #expect(loose.count == 10)
        #expect(abs((loose.last ?? 0) - 0.9) < 0.001)
    }
}
