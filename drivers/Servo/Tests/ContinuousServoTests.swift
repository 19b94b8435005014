import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import ServoDriver

@Suite("Continuous servo")
struct ContinuousServoTests {
    private static func run(
        _ options: [String: String] = [:],
        _ body: @escaping @Sendable (DriverHarness, SimulatedPWMChannel) async throws -> Void
    ) async throws {
        try await DriverHarness.run(ContinuousServo.driver, ServoTests.options(options)) { harness in
            try await body(harness, try harness.board.pwmChannel("PWM0"))
        }
    }

    private static func perform(
        _ harness: DriverHarness, _ name: String, _ arguments: [String: String] = [:]
    ) async throws {
        try await harness.perform(ContinuousServo.driver, name, arguments.mapValues { .scalar($0) })
    }

    @Test(
        "A speed becomes a pulse",
        arguments: [
            ("100%", [:], 2000), ("-100%", [:], 1000), ("50%", [:], 1750),
            ("50%", ["inverted": "yes"], 1250), ("100%", ["neutral-pulse": "1480us", "span": "400us"], 1880),
        ])
    func pulses(speed: String, options: [String: String], microseconds: Int) async throws {
        try await Self.run(options) { harness, channel in
            try await harness.loop.sleep(for: .seconds(5))
            #expect(channel.writes == 1)
            try await Self.perform(harness, "turn", ["speed": speed])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(
                channel.signal
                    == .init(period: .milliseconds(20), pulseWidth: .microseconds(microseconds), isEnabled: true))
            #expect(harness.state("turning") == true)
        }
    }

    @Test("It stops by itself or when told, without pulses: nothing creeps", arguments: [true, false])
    func stopping(byItself: Bool) async throws {
        try await Self.run { harness, channel in
            try await Self.perform(harness, "turn", ["speed": "-30%"].merging(byItself ? ["for": "2s"] : [:]) { $1 })
            try await harness.loop.sleep(for: .seconds(2))
            if !byItself { try await Self.perform(harness, "stop") }
            try await harness.loop.sleep(for: .milliseconds(10))
            #expect(channel.signal.pulseWidth == .zero)
            #expect(harness.state("turning") == false)
            #expect(harness.eventNames == ["stopped"])
            #expect(harness.events.first?.timestamp == .seconds(2))
            try await Self.perform(harness, "stop")
            try await Self.perform(harness, "turn", ["speed": "0%"])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames == ["stopped"])
        }
    }

    @Test("With a ramp it gains and loses speed evenly, a step a period, through zero where it turns round")
    func ramp() async throws {
        try await Self.run(["ramp": "1s"]) { harness, channel in
            let widths = ServoTests.widths(channel)
            try await Self.perform(harness, "turn", ["speed": "100%"])
            try await harness.loop.sleep(for: .milliseconds(510))
            #expect(channel.signal.pulseWidth == .microseconds(1750))
            try await harness.loop.sleep(for: .milliseconds(1000))
            #expect(channel.signal.pulseWidth == .microseconds(2000))
            try await Self.perform(harness, "turn", ["speed": "-100%"])
            try await harness.loop.sleep(for: .milliseconds(1510))
            #expect(channel.signal.pulseWidth == .microseconds(1250))
            try await Self.perform(harness, "stop")
            try await harness.loop.sleep(for: .milliseconds(600))
            #expect(channel.signal.pulseWidth == .zero)
            #expect(harness.eventNames == ["stopped"])
            let steps = widths.withLock { $0 }.filter { $0 > .zero }
            let changes = zip(steps, steps.dropFirst()).map { abs(($1 - $0) / .microseconds(1)) }
            #expect(changes.allSatisfy { $0 < 11 })
        }
    }

    @Test("At the end it stops by its ramp, and the pulses end")
    func end() async throws {
        let (channel, now) = try await DriverHarness.run(
            ContinuousServo.driver, ServoTests.options(["ramp": "500ms"])
        ) { harness in
            try await Self.perform(harness, "turn", ["speed": "100%"])
            try await harness.loop.sleep(for: .seconds(1))
            return (try harness.board.pwmChannel("PWM0"), harness.loop)
        }
        #expect(!channel.signal.isEnabled)
        #expect(now.now >= .milliseconds(1500) && now.now < .milliseconds(1600))
    }

    @Test("After a failure it goes on turning, unless its time is over")
    func resuming() throws {
        for (time, expected) in [(5, Duration?.some(.microseconds(1750))), (1, nil)] {
            var machine = RotationStateMachine(.init(neutral: .microseconds(1500), span: .microseconds(500)))
            let arguments = OptionValues().setting(ContinuousServo.speed, 0.5)
                .setting(ContinuousServo.time, .seconds(time))
            try machine.perform(Command(name: "turn", arguments: arguments), at: .zero)
            #expect(machine.step(at: .zero).pulse == .microseconds(1750))
            machine.resume(at: .seconds(3))
            #expect(machine.step(at: .seconds(3)).pulse == expected)
            #expect(machine.step(at: .seconds(5)).pulse == nil)
        }
    }
}
