import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import ServoDriver
import SimulatedPeripherals
import Testing

/// What could hurt a servo, a board or a finger.
@Suite("A servo's safety")
struct ServoSafetyTests {
    @Test("It is never driven faster than its speed, from one command to the next and after a failure")
    func speed() async throws {
        try await DriverHarness.run(Servo.driver, ServoTests.options(["speed": "90deg/s"])) { harness in
            let widths = ServoTests.widths(try harness.board.pwmChannel("PWM0"))
            // Nobody knows where it stands: the first move is a jump.
            for (command, arguments) in [
                ("move", ["to": "0deg"]), ("sweep", ["from": "180deg", "to": "0deg", "over": "100ms"]),
                ("move", ["to": "90deg", "over": "0s"]), ("move", ["to": "0deg"]),
            ] {
                try await ServoTests.move(harness, command, arguments)
                try await harness.loop.sleep(for: .milliseconds(1500))
            }
            let seen = widths.withLock { $0 }
            #expect(seen.count > 100)
            // 1.8 degrees in a period are 10 us.
            let steps = zip(seen, seen.dropFirst()).map { abs(($1 - $0) / .microseconds(1)) }
            #expect(steps.allSatisfy { $0 <= 11 }, "\(steps.max() ?? 0)")
        }
    }

    @Test("A hundred commands in a period are one change of the pulse, and the last one counts")
    func flood() async throws {
        try await DriverHarness.run(Servo.driver, ServoTests.options()) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await ServoTests.move(harness, "move", ["to": "0deg"])
            try await harness.loop.sleep(for: .milliseconds(100))
            let before = channel.writes
            for degrees in 1...1000 {
                try await ServoTests.move(harness, "move", ["to": "\(degrees % 180)deg"])
                try await harness.loop.sleep(for: .microseconds(200))
            }
            try await harness.loop.sleep(for: .milliseconds(20))
            // 200 ms are ten periods.
            #expect((10...12).contains(channel.writes - before))
            #expect(abs((channel.signal.pulseWidth - .nanoseconds(1_555_556)) / .nanoseconds(1)) < 1)
        }
    }

    @Test("A slow move costs no more changes than a servo can tell apart")
    func slow() async throws {
        try await DriverHarness.run(Servo.driver, ServoTests.options()) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            try await ServoTests.move(harness, "move", ["to": "0deg"])
            try await ServoTests.move(harness, "move", ["to": "90deg", "over": "5min"])
            try await harness.loop.sleep(for: .seconds(400))
            // 500 us in steps of one; 15,000 periods.
            #expect(channel.writes <= 505)
            #expect(channel.signal.pulseWidth == .microseconds(1500))
        }
    }

    @Test("After the rest time the pulses end, and the next move brings them back")
    func rest() async throws {
        try await DriverHarness.run(Servo.driver, ServoTests.options(["rest-after": "1s"])) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            let horn = ServoTests.model(harness, channel)
            try await ServoTests.move(harness, "move", ["to": "90deg"])
            // 0.6 s for the move, and the second of its rest time.
            try await harness.loop.sleep(for: .milliseconds(1599))
            #expect(harness.state("holding") == true)
            #expect(horn.isHolding)
            try await harness.loop.sleep(for: .milliseconds(100))
            #expect(harness.state("holding") == false)
            #expect(!horn.isHolding)
            #expect(horn.angle == 90)
            try await ServoTests.move(harness, "move", ["to": "45deg"])
            try await harness.loop.sleep(for: .milliseconds(500))
            #expect(horn.angle == 45)
        }
    }

    @Test("At the end it goes to its safe place at its speed, and then the pulses end")
    func park() async throws {
        let trace = try await DriverHarness.run(
            Servo.driver, ServoTests.options(["park-at": "10deg", "speed": "180deg/s"])
        ) { harness in
            let horn = ServoTests.model(harness, try harness.board.pwmChannel("PWM0"))
            try await ServoTests.move(harness, "move", ["to": "100deg"])
            try await harness.loop.sleep(for: .seconds(2))
            return (harness, horn)
        }
        let (harness, horn) = trace
        #expect(abs(horn.angle - 10) < 0.1)
        #expect(!(try harness.board.pwmChannel("PWM0").signal.isEnabled))
        // Half a second on its way, and half a second to arrive.
        #expect(harness.loop.now == .seconds(3))
    }

    @Test("A servo that was never moved is not moved at the end either")
    func parkUnmoved() async throws {
        let channel = try await DriverHarness.run(Servo.driver, ServoTests.options(["park-at": "10deg"])) { harness in
            // Neither of these is a place to go to.
            for command in ["stop", "release"] { try await ServoTests.move(harness, command, [:]) }
            try await ServoTests.move(harness, "play", ["steps": "wait 1s"])
            try await harness.loop.sleep(for: .seconds(5))
            #expect(harness.events.isEmpty)
            return try harness.board.pwmChannel("PWM0")
        }
        #expect(channel.writes == 1)
    }

    @Test("A way that is too long for the end is cut after three seconds")
    func longPark() async throws {
        let harness = try await DriverHarness.run(
            Servo.driver, ServoTests.options(["park-at": "0deg", "speed": "1deg/s"])
        ) { harness in
            try await ServoTests.move(harness, "move", ["to": "100deg"])
            try await harness.loop.sleep(for: .seconds(1))
            return harness
        }
        #expect(harness.loop.now <= .milliseconds(4100))
        #expect(!(try harness.board.pwmChannel("PWM0").signal.isEnabled))
    }

    @Test("What an earlier process left running is ended, and udev's late permission is waited for")
    func stale() async throws {
        let prepare: @Sendable (DriverHarness) throws -> Void = { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            channel.leave(.init(period: .milliseconds(5), pulseWidth: .milliseconds(4), isEnabled: true))
            channel.traits.permissionDelay = .seconds(1)
            channel.traits.edgeDistance = .nanoseconds(15)
        }
        try await DriverHarness.run(Servo.driver, ServoTests.options(), prepare: prepare) { harness in
            let channel = try harness.board.pwmChannel("PWM0")
            #expect(channel.signal == .init(period: .milliseconds(20)))
            try await ServoTests.move(harness, "move", ["to": "180deg"])
            try await ServoTests.move(harness, "release", [:])
            try await harness.loop.sleep(for: .seconds(1))
            #expect(channel.signal.pulseWidth == .zero)
        }
    }

    @Test("A channel that fails ends the run; the next one goes back to where it was, no faster than allowed")
    func failure() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let harness = DriverHarness(loop: loop, board: board)
            let channel = try board.pwmChannel("PWM0")
            let widths = ServoTests.widths(channel)
            let values = OptionValues(["pwm": "PWM0"])
            let context = DeviceContext(
                name: "arm", board: board, loop: loop, logger: Logger(RecordingLogSink()), sink: harness)
            let device = try Servo.driver.makeDevice(values, context)
            let move = Command(
                name: "sweep",
                arguments: OptionValues([
                    "from": Angle.degrees(0), "to": Angle.degrees(180), "over": Duration.seconds(2),
                ]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: PeripheralError.self) { try await device.run {} }
                    try await loop.sleep(for: .seconds(1))
                    channel.traits.edgeDistance = .zero
                    try await device.run {}
                }
                try await loop.sleep(for: .milliseconds(1))
                try await device.perform(move)
                try await loop.sleep(for: .seconds(1))
                // The chip's driver refuses everything from now on.
                channel.traits.edgeDistance = .seconds(1)
                try await loop.sleep(for: .milliseconds(500))
                #expect(!channel.signal.isEnabled)
                #expect(harness.state("moving") == false)
                try await loop.sleep(for: .seconds(1))
                // Back, without a command, to the end of its way.
                #expect(channel.signal.pulseWidth == .milliseconds(2))
                group.cancelAll()
                do { try await group.waitForAll() } catch is CancellationError {}
            }
            #expect(!widths.withLock { $0.isEmpty })
        }
    }

    @Test("The servo itself has nothing to complain of")
    func noComplaints() async throws {
        let trace = try await DriverHarness.run(Servo.driver, ServoTests.options()) { harness in
            let horn = ServoTests.model(harness, try harness.board.pwmChannel("PWM0"))
            for degrees in [0, 180, 90, -360, 360] {
                try await ServoTests.move(harness, "move", ["to": "\(degrees)deg"])
                try await harness.loop.sleep(for: .seconds(1))
            }
            _ = horn.angle
            return harness.board.trace.entries.filter { !$0.isWire }.map(\.text)
        }
        #expect(trace == [0, 180, 90, 0, 180].map { "horn stands at \($0)deg" })
    }
}
