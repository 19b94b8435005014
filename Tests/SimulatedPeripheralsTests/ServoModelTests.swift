import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("The simulated servo")
struct ServoModelTests {
    private struct Bench: Sendable {
        let loop: EventLoop
        let board: SimulatedBoard
        let channel: SimulatedPWMChannel
        let output: any PWMOutput
        let horn: ServoModel

        var complaints: [String] { board.trace.entries.filter { !$0.isWire }.map(\.text) }

        /// Pulses of so many microseconds, for so long.
        func send(_ microseconds: Int, for time: Duration = .seconds(1)) async throws {
            try await output.setPulseWidth(.microseconds(microseconds))
            try await output.enable()
            try await loop.sleep(for: time)
        }
    }

    private static func run(
        traits: ServoModel.Traits = ServoModel.Traits(), seed: UInt64 = 0,
        _ body: @escaping @Sendable (Bench) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop, seed: seed)
            let channel = try board.pwmChannel("PWM0")
            let horn = ServoModel(
                name: "horn", on: channel, traits: traits, trace: board.trace, loop: loop,
                generator: board.makeGenerator())
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            try await output.setPeriod(.milliseconds(20))
            try await body(Bench(loop: loop, board: board, channel: channel, output: output, horn: horn))
            await output.close()
        }
    }

    @Test("It turns to its pulse at its speed, and not for less than its dead band")
    func speed() async throws {
        try await Self.run { bench in
            try await bench.send(1000)
            #expect(bench.horn.angle == 0)
            try await bench.send(2000, for: .milliseconds(100))
            #expect(abs(bench.horn.angle - 60) < 0.001)
            try await bench.send(2000, for: .seconds(1))
            #expect(bench.horn.angle == 180)
            try await bench.send(1999)
            #expect(bench.horn.angle == 180)
            try await bench.send(1998)
            #expect(abs(bench.horn.angle - 179.64) < 0.001)
            #expect(bench.complaints == ["horn stands at 0deg", "horn stands at 180deg", "horn stands at 179.6deg"])
        }
    }

    @Test("Driven into its end stops it stands there, and complains once until it is let back")
    func stops() async throws {
        try await Self.run { bench in
            try await bench.send(2500)
            try await bench.send(2400)
            #expect(bench.horn.angle == 185)
            try await bench.send(1500)
            try await bench.send(500)
            #expect(bench.horn.angle == -5)
            #expect(
                bench.complaints == [
                    "is driven into its end stop at 185deg", "horn stands at 185deg", "horn stands at 90deg",
                    "is driven into its end stop at -5deg", "horn stands at -5deg",
                ])
        }
    }

    @Test("Without pulses it lets go after 50 ms, also on its way, and a hand can turn it")
    func pulses() async throws {
        try await Self.run { bench in
            bench.horn.turn(to: 30)
            #expect(bench.horn.angle == 30)
            try await bench.send(1500)
            bench.horn.turn(to: 30)
            #expect(bench.horn.angle == 90)
            try await bench.output.setPulseWidth(.zero)
            try await bench.loop.sleep(for: .milliseconds(40))
            #expect(bench.horn.isHolding)
            try await bench.loop.sleep(for: .milliseconds(20))
            #expect(!bench.horn.isHolding)
            bench.horn.turn(to: 30)
            try await bench.send(2000, for: .milliseconds(50))
            try await bench.output.disable()
            try await bench.loop.sleep(for: .seconds(1))
            #expect(abs(bench.horn.angle - 90) < 0.001)
            #expect(
                bench.complaints == [
                    "horn stands at 90deg", "somebody turns the horn against its motor",
                    "no pulses: nothing holds it at 90deg", "no pulses: nothing holds it at 90deg, short of 180deg",
                ])
        }
    }

    @Test("Pulses that come too seldom or too often are none")
    func periods() async throws {
        try await Self.run { bench in
            try await bench.output.set(period: .milliseconds(100), pulseWidth: .microseconds(1500))
            try await bench.output.enable()
            try await bench.loop.sleep(for: .seconds(1))
            #expect(!bench.horn.isHolding)
            #expect(bench.complaints.first == "knows no pulses every 0.1 seconds")
        }
    }

    @Test("Where it stands at first is drawn, and an inverted one turns the other way round")
    func start() async throws {
        let angles = Protected<Set<Double>>([])
        for seed in 0..<20 as Range<UInt64> {
            try await Self.run(seed: seed) { bench in _ = angles.withLock { $0.insert(bench.horn.angle) } }
        }
        #expect(angles.withLock { $0 }.count > 10)
        #expect(angles.withLock { $0 }.allSatisfy { (-5...185).contains($0) })
        var traits = ServoModel.Traits()
        (traits.firstPulse, traits.lastPulse) = (traits.lastPulse, traits.firstPulse)
        try await Self.run(traits: traits) { bench in
            try await bench.send(1000)
            #expect(bench.horn.angle == 180)
        }
    }
}
