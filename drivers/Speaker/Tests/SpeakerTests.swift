import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import SpeakerDriver

@Suite("Speaker")
struct SpeakerTests {
    private static func run(
        _ options: [String: OptionInput] = [:], _ body: @escaping @Sendable (DriverHarness) async throws -> Void
    ) async throws {
        try await DriverHarness.run(
            Speaker.driver, name: "chime", options.merging(["pwm": .scalar("PWM0")]) { $1 }, body)
    }

    /// What the wire carries in hertz; 0 is a low level, and `nil` no pulses and no level either.
    private static func hertz(_ harness: DriverHarness) throws -> Int? {
        let signal = try harness.board.pwmChannel("PWM0").signal
        guard signal.isEnabled else { return nil }
        return signal.pulseWidth == .zero ? 0 : Int((.seconds(1) / signal.period).rounded())
    }

    @Test("Nothing sounds before the first command, and nothing after the end, whatever was played")
    func silence() async throws {
        try await Self.run { harness in
            let before = try Self.hertz(harness)
            #expect(before == nil)
            try await harness.perform(Speaker.driver, "tone", ["frequency": .scalar("440Hz"), "for": .scalar("ever")])
            try await harness.loop.sleep(for: .seconds(1))
            let during = try Self.hertz(harness)
            #expect(during == 440)
        }
        let board = Protected<SimulatedBoard?>(nil)
        try await Self.run { harness in
            board.withLock { $0 = harness.board }
            try await harness.perform(Speaker.driver, "play", ["melody": .scalar("a4"), "times": .scalar("0")])
            try await harness.loop.sleep(for: .seconds(1))
        }
        let signal = try #require(board.withLock { $0 }).pwmChannel("PWM0").signal
        #expect(!signal.isEnabled && signal.pulseWidth == .zero)
    }

    @Test("A tone lasts as long as it is to, tells its end, and leaves the wire low")
    func tone() async throws {
        try await Self.run { harness in
            try await harness.perform(Speaker.driver, "tone", ["frequency": .scalar("1kHz"), "for": .scalar("200ms")])
            try await harness.loop.sleep(for: .milliseconds(199))
            #expect(try Self.hertz(harness) == 1000)
            #expect(harness.state("sounding") == true)
            try await harness.loop.sleep(for: .milliseconds(2))
            #expect(try Self.hertz(harness) == 0)
            #expect(harness.state("sounding") == false)
            #expect(harness.eventNames == ["finished"])
        }
    }

    @Test("A melody is its notes in time, with a breath between two of the same height")
    func melody() async throws {
        try await Self.run { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            let heard = Protected<[String]>([])
            let loop = harness.loop
            channel.watch { signal in
                let hertz = signal.isEnabled && signal.pulseWidth > .zero ? (.seconds(1) / signal.period).rounded() : 0
                heard.withLock { $0.append("\(loop.now / .milliseconds(1)): \(hertz)") }
            }
            try await harness.perform(Speaker.driver, "play", ["melody": .scalar("d=4,b=60:a4,a4,p,c5")])
            try await loop.sleep(for: .milliseconds(50))
            var seen: [Int?] = []
            for _ in 0..<45 {
                seen.append(try Self.hertz(harness))
                try await loop.sleep(for: .milliseconds(100))
            }
            #expect(seen.prefix(20).allSatisfy { $0 == 440 })
            #expect(seen[20..<30].allSatisfy { $0 == 0 })
            #expect(seen[30..<40].allSatisfy { $0 == 523 })
            #expect(seen[40...].allSatisfy { $0 == 0 })
            // The first note ends 30 ms before the second begins.
            let notes = heard.withLock { $0 }
            #expect(notes.contains { $0.hasPrefix("970.0: 0") } && notes.contains { $0.hasPrefix("1000.0: 440") })
            #expect(harness.eventNames == ["finished"])
        }
    }

    @Test("What comes next cuts in at once, and the other one does not tell of an end")
    func cutIn() async throws {
        try await Self.run { harness in
            try await harness.perform(Speaker.driver, "play", ["melody": .scalar("1a4"), "times": .scalar("0")])
            try await harness.loop.sleep(for: .seconds(60))
            try await harness.perform(Speaker.driver, "tone", ["frequency": .scalar("2kHz")])
            try await harness.loop.sleep(for: .milliseconds(1))
            #expect(try Self.hertz(harness) == 2000)
            try await harness.perform(Speaker.driver, "stop")
            try await harness.loop.sleep(for: .milliseconds(1))
            #expect(try Self.hertz(harness) == 0)
            #expect(harness.eventNames == [])
        }
    }

    @Test(
        "Volume is the pulse's part of half a period, and changes what sounds", arguments: [("100%", 500), ("10%", 50)])
    func volume(level: String, microseconds: Int) async throws {
        try await Self.run(["volume": .scalar("50%")]) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await harness.perform(Speaker.driver, "tone", ["frequency": .scalar("1kHz"), "for": .scalar("ever")])
            try await harness.loop.sleep(for: .milliseconds(1))
            #expect(channel.signal.pulseWidth == .microseconds(250))
            try await harness.perform(Speaker.driver, "volume", ["level": .scalar(level)])
            try await harness.loop.sleep(for: .milliseconds(1))
            #expect(channel.signal.pulseWidth == .microseconds(microseconds))
        }
    }

    @Test("A speaker that does nothing sets nothing in an hour")
    func idle() async throws {
        try await Self.run { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await harness.perform(Speaker.driver, "tone", ["frequency": .scalar("440Hz"), "for": .scalar("ever")])
            try await harness.loop.sleep(for: .seconds(1))
            let writes = channel.writes
            try await harness.loop.sleep(for: .seconds(3600))
            #expect(channel.writes == writes)
        }
    }

    @Test("A channel that another one has is an error that says so")
    func busy() async throws {
        await #expect {
            try await EventLoop.run(time: .virtual) { loop in
                let board = SimulatedBoard(loop: loop)
                let other = try await board.makePWMOutput("PWM0", consumer: "arm")
                defer { withExtendedLifetime(other) {} }
                try await DriverHarness(loop: loop, board: board).run(Speaker.driver, ["pwm": .scalar("PWM0")]) {}
            }
        } throws: { error in
            (error as? PeripheralError)?.code == .busy
        }
    }

    @Test("What was slept through is left out, and the beat is kept")
    func late() throws {
        var machine = SpeakerStateMachine()
        machine.handle(.play(try #require(Melody("d=4,b=60:a4,c5")), times: 3), at: .zero)
        #expect(machine.hertz == 440)
        let isOver = machine.advance(to: .milliseconds(3100))
        #expect(!isOver)
        #expect(machine.hertz.map { Int($0) } == 523)
        #expect(machine.nextChange == .milliseconds(3970))
        let isOverThen = machine.advance(to: .seconds(60))
        #expect(isOverThen)
        #expect(machine.hertz == nil && machine.nextChange == nil)
    }
}
