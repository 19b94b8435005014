import ButtonDriver
import DeviceKit
import DeviceRuntime
import MotionSensorDriver
import Peripherals
import ServoDriver
import Testing

/// What is pressed, what sees somebody move, and what moves.
extension Behaviour {
    /// The levels that a button to ground gives the line.
    private static let (down, up) = (Level.low, Level.high)

    private static func button(
        _ options: [String: String], on bench: any TestBench,
        _ body: @escaping @Sendable (DeviceOnBench) async throws -> Void
    ) async throws {
        try bench.pull("GPIO17", to: up)
        try await bench.settle()
        let options = options.merging(["pin": "GPIO17", "pull": "up"]) { $1 }
        try await DeviceOnBench.run(Button.driver, options.mapValues { .scalar($0) }, on: bench, body)
    }

    static let buttons = [
        Behaviour("Drivers", "button: a press and a release at the wire are its events") { bench in
            try await button([:], on: bench) { bell in
                try bench.pull("GPIO17", to: down)
                #expect(try await bell.event(1).name == "pressed")
                #expect(bell.state("pressed") == true)
                try bench.pull("GPIO17", to: up)
                #expect(try await bell.event(2).name == "released")
                #expect(bell.state("pressed") == false)
            }
        },
        Behaviour("Drivers", "button: a contact that chatters is one press, and a pulse that is too short a glitch") {
            bench in
            try await button(["settle": "100ms"], on: bench) { bell in
                try bench.pullWhileStanding("GPIO17", to: [down, up, down, up, down])
                let pressed = try await bell.event(1)
                #expect(pressed.name == "pressed")
                // Dated to the first edge: told a settle time later at least.
                #expect(bench.loop.now - pressed.timestamp >= .milliseconds(100))
                try bench.pullWhileStanding("GPIO17", to: [up, down, up])
                #expect(try await bell.event(2).name == "released")
                try bench.pullWhileStanding("GPIO17", to: [down, up])
                #expect(try await bell.event(3).name == "glitched")
                #expect(bell.state("pressed") == false)
            }
        },
        Behaviour("Drivers", "button: more edges than the kernel queues leave neither a wrong state nor silence") {
            bench in
            try await button(["settle": "500ms"], on: bench) { bell in
                try bench.pullWhileStanding("GPIO17", to: (0..<41).map { $0.isMultiple(of: 2) ? down : up })
                #expect(try await bell.event(1).name == "pressed")
                try bench.pullWhileStanding("GPIO17", to: (0..<40).map { $0.isMultiple(of: 2) ? up : down })
                #expect(try await bell.event(2).name == "glitched")
                #expect(bell.state("pressed") == true)
                try bench.pull("GPIO17", to: up)
                #expect(try await bell.event(3).name == "released")
            }
        },
        Behaviour("Drivers", "button: with a lock-out a press is told with its first edge, and its release is not lost")
        {
            bench in
            try await button(["lock-out": "1s"], on: bench) { bell in
                try bench.pull("GPIO17", to: down)
                let pressed = try await bell.event(1)
                #expect(bench.loop.now - pressed.timestamp < .milliseconds(500))
                try bench.pull("GPIO17", to: up)
                let released = try await bell.event(2)
                // Counted at the end of the lock-out, and dated to its edge.
                #expect(bench.loop.now - pressed.timestamp >= .seconds(1))
                #expect(released.timestamp - pressed.timestamp < .seconds(1))
            }
        },
        Behaviour("Drivers", "button: two clicks in a row, a long press, repetitions") { bench in
            let options = [
                "clicks": "2", "click-gap": "5s", "long-press": "300ms", "repeat": "100ms", "settle": "10ms",
            ]
            try await button(options, on: bench) { bell in
                for number in 0..<2 {
                    try bench.pull("GPIO17", to: down)
                    #expect(try await bell.event(2 * number + 1).name == "pressed")
                    try bench.pull("GPIO17", to: up)
                    #expect(try await bell.event(2 * number + 2).name == "released")
                }
                #expect(try await bell.event(5).name == "double-clicked")
                try bench.pull("GPIO17", to: down)
                let told = ["pressed", "long-pressed", "repeated", "repeated"]
                for (number, name) in told.enumerated() { #expect(try await bell.event(6 + number).name == name) }
                try bench.pull("GPIO17", to: up)
            }
        },
    ]

    static let motionSensors = [
        Behaviour("Drivers", "motion-sensor: a high and a low at the wire are a beginning and an end") { bench in
            try bench.pull("GPIO18", to: .low)
            try await DeviceOnBench.run(
                MotionSensor.driver, ["pin": .scalar("GPIO18"), "warm-up": .scalar("0s")], on: bench
            ) { sensor in
                try await bench.settle()
                try bench.pull("GPIO18", to: .high)
                #expect(try await sensor.event(1).name == "started")
                #expect(sensor.state("motion") == true)
                try bench.pull("GPIO18", to: .low)
                #expect(try await sensor.event(2).name == "ended")
            }
        },
        Behaviour("Drivers", "motion-sensor: two lines are one zone, occupied until nobody has moved for its time") {
            bench in
            for line in ["GPIO18", "GPIO19"] { try bench.pull(line, to: .low) }
            try await bench.settle()
            let options: [String: OptionInput] = [
                "pin": .list(["GPIO18", "GPIO19"]), "warm-up": .scalar("0s"), "hold-off": .scalar("200ms"),
                "occupied-for": .scalar("1s"),
            ]
            try await DeviceOnBench.run(MotionSensor.driver, options, on: bench) { zone in
                try bench.pull("GPIO18", to: .high)
                #expect(try await zone.event(1).name == "started")
                #expect(try await zone.event(2).name == "occupied")
                try bench.pull("GPIO19", to: .high)
                try await bench.settle()
                try bench.pull("GPIO18", to: .low)
                try await bench.settle()
                try bench.pull("GPIO19", to: .low)
                let ended = try await zone.event(3)
                #expect(ended.name == "ended")
                #expect(ended.fields.last == Event.Field("line", .text("GPIO19")))
                #expect(zone.state("occupied") == true)
                #expect(try await zone.event(4).name == "vacant")
                #expect(zone.state("occupied") == false)
            }
        },
        Behaviour("Drivers", "motion-sensor: what there is at the start is a state, and a wire that chatters a fault") {
            bench in
            try bench.pull("GPIO18", to: .high)
            try await bench.settle()
            try await DeviceOnBench.run(
                MotionSensor.driver, ["pin": .scalar("GPIO18"), "warm-up": .scalar("0s")], on: bench
            ) { sensor in
                #expect(sensor.state("motion") == true)
                #expect(sensor.events.isEmpty)
                for _ in 0..<20 {
                    try bench.pull("GPIO18", to: .low)
                    try await bench.settle()
                    try bench.pull("GPIO18", to: .high)
                    try await bench.settle()
                }
                #expect(sensor.state("faulty") == true)
                #expect(sensor.state("motion") == false)
                #expect(sensor.events.count { $0.name == "faulty" } == 1)
                #expect(sensor.fault == "GPIO18 chatters")
            }
        },
    ]

    static let servos = [
        Behaviour("Drivers", "servo: nothing before the first move, then a pulse of its angle, and nothing at the end")
        {
            bench in
            let pulse = PWMSettings(period: .milliseconds(20), pulseWidth: .microseconds(1500), isEnabled: true)
            try await DeviceOnBench.run(Servo.driver, ["pwm": .scalar("PWM0")], on: bench) { arm in
                #expect(try bench.signal(of: "PWM0") == PWMSettings(period: pulse.period))
                try await arm.perform("move", ["to": .scalar("90deg")])
                #expect(try await arm.event(1).name == "moved")
                #expect(try bench.signal(of: "PWM0") == pulse)
            }
            let next = try await bench.board.makePWMOutput("PWM0", consumer: "test")
            #expect(try await next.settings() == PWMSettings(period: pulse.period))
            await next.close()
        },
        Behaviour("Drivers", "servo: a sweep takes its time and ends to the nanosecond; a soft stop holds") { bench in
            let options: [String: OptionInput] = [
                "pwm": .scalar("PWM0"), "limits": .list(["0deg", "160deg"]), "easing": .scalar("smooth"),
            ]
            try await DeviceOnBench.run(Servo.driver, options, on: bench) { arm in
                try await arm.perform("move", ["to": .scalar("20deg")])
                let start = try await arm.event(1).timestamp
                try await arm.perform(
                    "sweep", ["from": .scalar("20deg"), "to": .scalar("175deg"), "over": .scalar("400ms")])
                let end = try await arm.event(2)
                #expect(end.timestamp - start >= .milliseconds(400))
                #expect(end.fields == [.init("degrees", .number(160)), .init("limited", .flag(true))])
                #expect(try bench.signal(of: "PWM0").pulseWidth == .nanoseconds(1_888_889))
            }
        },
        Behaviour("Drivers", "servo: without pulses its wire is low, and at the end it has been where it is safe") {
            bench in
            // What a process left that crashed.
            let left = PWMSettings(period: .milliseconds(20), pulseWidth: .milliseconds(2), isEnabled: true)
            try bench.leave(left, on: "PWM0")
            let options: [String: OptionInput] = [
                "pwm": .scalar("PWM0"), "rest-after": .scalar("100ms"), "park-at": .scalar("0deg"),
            ]
            let seen = Protected<[PWMSettings]>([])
            try await DeviceOnBench.run(Servo.driver, options, on: bench) { arm in
                #expect(try bench.signal(of: "PWM0") == PWMSettings(period: left.period))
                try await arm.perform("move", ["to": .scalar("90deg")])
                _ = try await arm.event(1)
                try await bench.loop.sleep(for: .milliseconds(200))
                #expect(try bench.signal(of: "PWM0") == PWMSettings(period: left.period, isEnabled: true))
                // While it is stopped, somebody looks.
                bench.loop.schedule(after: .milliseconds(200)) {
                    if let signal = try? bench.signal(of: "PWM0") { seen.withLock { $0.append(signal) } }
                }
            }
            let parked = PWMSettings(period: left.period, pulseWidth: .milliseconds(1), isEnabled: true)
            #expect(seen.withLock { $0 } == [parked])
        },
        Behaviour("Drivers", "continuous-servo: turns at its speed for its time, and stands without pulses") { bench in
            try await DeviceOnBench.run(ContinuousServo.driver, ["pwm": .scalar("PWM0")], on: bench) { wheel in
                try await wheel.perform("turn", ["speed": .scalar("-50%"), "for": .scalar("200ms")])
                try await bench.loop.sleep(for: .milliseconds(50))
                #expect(try bench.signal(of: "PWM0").pulseWidth == .microseconds(1250))
                #expect(try await wheel.event(1).name == "stopped")
                #expect(try bench.signal(of: "PWM0").pulseWidth == .zero)
            }
        },
    ]
}
