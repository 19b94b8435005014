import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import ServoDriver
import SimulatedPeripherals
import Testing

@Suite("Servo")
struct ServoTests {
    static func options(_ options: [String: String] = [:]) -> [String: OptionInput] {
        options.merging(["pwm": "PWM0"]) { $1 }.mapValues { .scalar($0) }
    }

    static func move(_ harness: DriverHarness, _ name: String, _ arguments: [String: String]) async throws {
        try await harness.perform(Servo.driver, name, arguments.mapValues { .scalar($0) })
    }

    /// The widths that a channel has from now on, while it has pulses.
    static func widths(_ channel: SimulatedPWMChannel) -> Protected<[Duration]> {
        let widths = Protected<[Duration]>([])
        channel.watch { signal in if signal.isEnabled { widths.withLock { $0.append(signal.pulseWidth) } } }
        return widths
    }

    /// What is wrong with the way that the servo is driven, as the servo says.
    static func model(_ harness: DriverHarness, _ channel: SimulatedPWMChannel) -> ServoModel {
        ServoModel(
            name: "horn", on: channel, trace: harness.board.trace, loop: harness.loop,
            generator: harness.board.makeGenerator())
    }

    @Test("Nothing is driven before the first command, and nothing after the end")
    func safe() async throws {
        let channel = try await DriverHarness.run(Servo.driver, Self.options()) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await harness.loop.sleep(for: .seconds(10))
            #expect(!channel.signal.isEnabled)
            #expect(channel.signal.pulseWidth == .zero)
            // The period, which makes no pulses.
            #expect(channel.writes == 1)
            try await Self.move(harness, "move", ["to": "90deg"])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(
                channel.signal == .init(period: .milliseconds(20), pulseWidth: .microseconds(1500), isEnabled: true))
            #expect(harness.state("holding") == true)
            return channel
        }
        #expect(!channel.signal.isEnabled)
        #expect(channel.signal.pulseWidth == .zero)
    }

    @Test("A sweep passes every step in order, takes its time, and tells when it is over")
    func sweep() async throws {
        try await DriverHarness.run(Servo.driver, Self.options()) { harness in
            let widths = Self.widths(try harness.board.pwmChannel("PWM0"))
            try await Self.move(harness, "sweep", ["from": "20deg", "to": "160deg", "over": "800ms"])
            // To where it begins, from nobody knows where, a servo takes 0.6 s.
            try await harness.loop.sleep(for: .milliseconds(1300))
            #expect(harness.state("moving") == true)
            try await harness.loop.sleep(for: .milliseconds(200))
            let steps = widths.withLock { $0 }
            #expect(steps.count == 41)
            #expect(steps == steps.sorted())
            // 160 of 180 degrees between 1 and 2 ms, to the nanosecond.
            #expect(steps.last == .nanoseconds(1_888_889))
            #expect(harness.state("moving") == false)
            #expect(harness.events.map(\.timestamp) == [.milliseconds(1400)])
            #expect(harness.events.first?.fields == [Event.Field("degrees", .number(160))])
        }
    }

    @Test("A sweep goes there and back as often as said, and is one move")
    func passes() async throws {
        try await DriverHarness.run(Servo.driver, Self.options()) { harness in
            let horn = Self.model(harness, try harness.board.pwmChannel("PWM0"))
            try await Self.move(harness, "sweep", ["from": "0deg", "to": "180deg", "over": "1s", "times": "4"])
            try await harness.loop.sleep(for: .milliseconds(600))
            for expected in [180.0, 0, 180, 0] {
                try await harness.loop.sleep(for: .milliseconds(1000))
                #expect(abs(horn.angle - expected) < 8, "\(horn.angle) \(expected)")
            }
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.map(\.timestamp) == [.milliseconds(4600)])
        }
    }

    @Test("A sequence goes through its steps and waits, with few wake-ups while it waits")
    func sequence() async throws {
        try await DriverHarness.run(Servo.driver, Self.options()) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await harness.perform(
                Servo.driver, "play",
                ["steps": .list(["0deg", "90deg over 1s", "wait 10min", "45deg"]), "times": .scalar("2")])
            var seen: [Duration] = []
            for time in [300, 1110, 2000, 601_650, 601_800, 602_410, 603_000, 1_203_800] {
                try await harness.loop.sleep(until: .milliseconds(time))
                seen.append(channel.signal.pulseWidth)
            }
            #expect(seen == [1000, 1250, 1500, 1250, 1000, 1250, 1500, 1250].map { .microseconds($0) })
            #expect(harness.events.count == 1)
            #expect(channel.writes < 150)
        }
    }

    @Test("A command during a move takes over from where the servo stands")
    func interrupted() async throws {
        try await DriverHarness.run(Servo.driver, Self.options()) { harness in
            try await Self.move(harness, "sweep", ["from": "0deg", "to": "180deg", "over": "2s"])
            try await harness.loop.sleep(for: .milliseconds(1600))
            try await Self.move(harness, "move", ["to": "0deg", "over": "1s"])
            try await harness.loop.sleep(for: .milliseconds(500))
            let width = try harness.board.pwmChannel("PWM0").signal.pulseWidth
            #expect(abs((width - .microseconds(1250)) / .microseconds(1)) < 12)
            try await harness.loop.sleep(for: .seconds(2))
            #expect(harness.eventNames == ["moved"])
        }
    }

    @Test("Stop holds it where it is, release lets go of it, and the next move begins there")
    func stopAndRelease() async throws {
        try await DriverHarness.run(Servo.driver, Self.options()) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            let horn = Self.model(harness, channel)
            try await Self.move(harness, "sweep", ["from": "0deg", "to": "180deg", "over": "2s"])
            try await harness.loop.sleep(for: .milliseconds(1600))
            try await Self.move(harness, "stop", [:])
            try await harness.loop.sleep(for: .seconds(5))
            #expect(channel.signal.pulseWidth == .microseconds(1500))
            #expect(harness.state("moving") == false)
            #expect(harness.state("holding") == true)
            try await Self.move(harness, "release", [:])
            try await harness.loop.sleep(for: .seconds(1))
            // Enabled at a width of zero: the wire is low for sure.
            #expect(channel.signal == .init(period: .milliseconds(20), pulseWidth: .zero, isEnabled: true))
            #expect(harness.state("holding") == false)
            #expect(!horn.isHolding)
            #expect(abs(horn.angle - 90) < 1)
            try await Self.move(harness, "move", ["to": "180deg", "over": "1s"])
            try await harness.loop.sleep(for: .milliseconds(500))
            #expect(abs((channel.signal.pulseWidth - .microseconds(1750)) / .microseconds(1)) < 12)
            #expect(harness.eventNames.isEmpty)
        }
    }

    @Test("Soft stops hold a move, which says so; a range that is wider or elsewhere changes nothing")
    func limits() async throws {
        let options = Self.options().merging(["limits": .list(["20deg", "360deg"]) as OptionInput]) { $1 }
        let range = options.merging(["range": .list(["-90deg", "90deg"]) as OptionInput]) { $1 }
        try await DriverHarness.run(Servo.driver, range) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await Self.move(harness, "move", ["to": "-90deg"])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(abs((channel.signal.pulseWidth - .microseconds(1611)) / .microseconds(1)) < 1)
            #expect(harness.events.last?.fields == [.init("degrees", .number(20)), .init("limited", .flag(true))])
            try await Self.move(harness, "move", ["to": "300deg"])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(channel.signal.pulseWidth == .milliseconds(2))
            try await Self.move(harness, "move", ["to": "30deg"])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.last?.fields == [.init("degrees", .number(30))])
        }
    }
}
