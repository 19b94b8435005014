import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import ServoDriver

@Suite("Servo")
struct ServoTests {
    static let options: [String: OptionInput] = ["pwm": .scalar("PWM0")]

    @Test(
        "An angle becomes a pulse, held at the ends of the range",
        arguments: [(0, 1000), (90, 1500), (180, 2000), (45, 1250), (-30, 1000), (400, 2000)])
    func calibration(degrees: Double, microseconds: Int) {
        let calibration = ServoCalibration(
            angles: .degrees(0)...(.degrees(180)), pulses: .milliseconds(1)...(.milliseconds(2)))
        #expect(calibration.pulseWidth(for: .degrees(degrees)) == .microseconds(microseconds))
    }

    @Test("Nothing is driven before the first command, and nothing after the end")
    func safe() async throws {
        let channel = try await DriverHarness.run(Servo.driver, Self.options) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await harness.loop.sleep(for: .seconds(10))
            #expect(!channel.signal.isEnabled)
            #expect(channel.signal.pulseWidth == .zero)
            try await harness.perform(Servo.driver, "move", ["to": .scalar("90deg")])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(
                channel.signal == .init(period: .milliseconds(20), pulseWidth: .microseconds(1500), isEnabled: true))
            return channel
        }
        #expect(!channel.signal.isEnabled)
        #expect(channel.signal.pulseWidth == .zero)
    }

    @Test("A sweep passes every step in order, takes its time, and tells when it is over")
    func sweep() async throws {
        try await DriverHarness.run(Servo.driver, Self.options) { harness in
            let widths = Protected<[Duration]>([])
            try harness.board.pwmChannel("PWM0").watch { signal in
                if signal.isEnabled { widths.withLock { $0.append(signal.pulseWidth) } }
            }
            try await harness.perform(
                Servo.driver, "sweep", ["from": .scalar("20deg"), "to": .scalar("160deg"), "over": .scalar("800ms")])
            try await harness.loop.sleep(for: .milliseconds(400))
            #expect(harness.state("moving") == true)
            try await harness.loop.sleep(for: .milliseconds(500))
            let steps = widths.withLock { $0 }
            #expect(steps.count == 41)
            #expect(steps == steps.sorted())
            // 160 of 180 degrees between 1 and 2 ms, to the nanosecond.
            #expect(steps.last == .nanoseconds(1_888_889))
            #expect(harness.state("moving") == false)
            #expect(harness.events.map(\.timestamp) == [.milliseconds(800)])
            #expect(harness.events.first?.fields == [Event.Field("degrees", .number(160))])
        }
    }

    @Test("A command during a move takes over from where the servo stands")
    func interrupted() async throws {
        try await DriverHarness.run(Servo.driver, Self.options) { harness in
            try await harness.perform(
                Servo.driver, "sweep", ["from": .scalar("0deg"), "to": .scalar("180deg"), "over": .scalar("2s")])
            try await harness.loop.sleep(for: .seconds(1))
            try await harness.perform(Servo.driver, "move", ["to": .scalar("0deg"), "over": .scalar("1s")])
            try await harness.loop.sleep(for: .milliseconds(500))
            let width = try harness.board.pwmChannel("PWM0").signal.pulseWidth
            #expect(abs((width - .microseconds(1250)) / .microseconds(1)) < 12)
            try await harness.loop.sleep(for: .seconds(2))
            #expect(harness.eventNames == ["moved"])
        }
    }
}
