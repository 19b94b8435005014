import DeviceKit
import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    static let pwm = pwmSettings + pwmOrder + pwmOwnership + softwarePWM

    private static let servo = PWMSettings(
        period: .milliseconds(20), pulseWidth: .microseconds(1500), isEnabled: true)

    private static func open(_ bench: any TestBench, consumer: String = "test") async throws -> any PWMOutput {
        try await bench.board.makePWMOutput("PWM0", consumer: consumer)
    }

    private static let pwmSettings = [
        Behaviour("PWM", "A servo's pulse of 1.5 ms in 20 ms is what the channel gets, and closing ends it") { bench in
            let output = try await open(bench)
            try await output.setPeriod(servo.period)
            try await output.setPulseWidth(servo.pulseWidth)
            try await output.enable()
            #expect(try bench.signal(of: "PWM0") == servo)
            #expect(try await output.settings() == servo)
            #expect(output.backend == .hardware)
            await output.close()
            let next = try await open(bench)
            try await next.setPeriod(servo.period)
            #expect(try bench.signal(of: "PWM0") == PWMSettings(period: servo.period))
            await next.close()
        },
        Behaviour("PWM", "Times reach the channel to the nanosecond; a fraction of a period is not rounded on the way")
        {
            bench in
            let output = try await open(bench)
            try await output.set(period: .nanoseconds(19_999_999), pulseWidth: .nanoseconds(1_234_567))
            #expect(
                try bench.signal(of: "PWM0")
                    == PWMSettings(period: .nanoseconds(19_999_999), pulseWidth: .nanoseconds(1_234_567)))
            // Fractions that binary numbers do not have: 7.5 % of 20 ms are 1.5 ms, not a nanosecond less.
            for (percent, width) in [(7.5, 1_500_000), (0.7, 140_000), (33.3, 6_660_000), (100, 20_000_000)] {
                try await output.setPeriod(.milliseconds(20))
                let duty = try #require(DutyCycle.percent(percent))
                try await output.setDutyCycle(duty, of: .milliseconds(20))
                #expect(try bench.signal(of: "PWM0").pulseWidth == .nanoseconds(width))
            }
            await output.close()
        },
        Behaviour("PWM", "Pulses can be inversed while the channel is disabled, and closing makes them normal again") {
            bench in
            let output = try await open(bench)
            try await output.setPeriod(servo.period)
            try await output.setPulseWidth(servo.pulseWidth)
            try await output.setPolarity(.inversed)
            try await output.setPolarity(.inversed)
            try await output.enable()
            var inversed = servo
            inversed.polarity = .inversed
            #expect(try bench.signal(of: "PWM0") == inversed)
            #expect(try await output.settings() == inversed)
            await output.close()
            let next = try await open(bench)
            #expect(try await next.settings() == PWMSettings(period: servo.period))
            await next.close()
        },
    ]

    private static let pwmOrder = [
        Behaviour("PWM", "Before there is a period everything else is refused, and switching off does nothing") {
            bench in
            let output = try await open(bench)
            #expect(await failure { try await output.setPulseWidth(.zero) }?.code == .invalidArgument)
            #expect(await failure { try await output.setPulseWidth(.milliseconds(1)) }?.code == .invalidArgument)
            #expect(await failure { try await output.setPolarity(.normal) }?.code == .invalidArgument)
            #expect(await failure { try await output.enable() }?.code == .invalidArgument)
            try await output.disable()
            #expect(try await output.settings().isEnabled == false)
            await output.close()
        },
        Behaviour("PWM", "A pulse longer than the period, and times that are none, are refused and change nothing") {
            bench in
            let output = try await open(bench)
            try await output.set(period: .milliseconds(20), pulseWidth: .milliseconds(2))
            for width in [Duration.milliseconds(21), .seconds(-1), .seconds(7200)] {
                #expect(await failure { try await output.setPulseWidth(width) }?.code == .invalidArgument)
            }
            for period in [Duration.milliseconds(1), .zero, .nanoseconds(-1), .seconds(7200)] {
                #expect(await failure { try await output.setPeriod(period) }?.code == .invalidArgument)
            }
            #expect(
                await failure { try await output.set(period: .milliseconds(3), pulseWidth: .milliseconds(4)) }?.code
                    == .invalidArgument)
            #expect(
                try bench.signal(of: "PWM0")
                    == PWMSettings(period: .milliseconds(20), pulseWidth: .milliseconds(2)))
            await output.close()
        },
        Behaviour("PWM", "Period and width are set together in the order that is allowed, from any state to any") {
            bench in
            let output = try await open(bench)
            let pairs: [(Int64, Int64)] = [(20, 2), (1, 1), (20, 20), (2, 0), (10, 5), (4, 4), (5, 5), (20, 1)]
            for (period, width) in pairs {
                try await output.set(period: .milliseconds(period), pulseWidth: .milliseconds(width))
                #expect(
                    try bench.signal(of: "PWM0")
                        == PWMSettings(period: .milliseconds(period), pulseWidth: .milliseconds(width)))
            }
            await output.close()
        },
        Behaviour("PWM", "The polarity is refused while the channel is enabled") { bench in
            let output = try await open(bench)
            try await output.set(period: servo.period, pulseWidth: servo.pulseWidth)
            try await output.enable()
            #expect(await failure { try await output.setPolarity(.inversed) }?.code == .invalidArgument)
            #expect(try bench.signal(of: "PWM0") == servo)
            await output.close()
        },
    ]

    private static let pwmOwnership = [
        Behaviour("PWM", "What a crashed process left running is ended, and its width is not in the way") { bench in
            try bench.leave(
                PWMSettings(period: .milliseconds(20), pulseWidth: .milliseconds(15), isEnabled: true), on: "PWM0")
            let output = try await open(bench)
            #expect(try bench.signal(of: "PWM0") == PWMSettings(period: .milliseconds(20)))
            // The period that is there is not one that was set.
            #expect(await failure { try await output.enable() }?.code == .invalidArgument)
            try await output.setPeriod(.milliseconds(10))
            #expect(try bench.signal(of: "PWM0") == PWMSettings(period: .milliseconds(10)))
            await output.close()
        },
        Behaviour("PWM", "A channel that is held is busy and names its holder, and is free when it was closed") {
            bench in
            let output = try await open(bench, consumer: "the holder")
            let error = await failure { _ = try await open(bench, consumer: "another") }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("'the holder'") == true)
            await output.close()
            await output.close()
            await (try await open(bench, consumer: "another")).close()
        },
        Behaviour("PWM", "A channel that the chip lacks is told apart from one that the board lacks") { bench in
            let lacking = await failure { _ = try await bench.board.makePWMOutput("PWM1", consumer: "test") }
            #expect(lacking?.code == .notFound)
            #expect(lacking?.description.contains("channel") == true)
            let unknown = await failure { _ = try await bench.board.makePWMOutput("PWM9", consumer: "test") }
            #expect(unknown?.code == .notFound)
            #expect(unknown?.description.contains("PWM0, PWM1") == true)
        },
        Behaviour("PWM", "Every call on a closed channel says that it was closed") { bench in
            let output = try await open(bench)
            try await output.setPeriod(servo.period)
            await output.close()
            #expect(await failure { try await output.setPeriod(servo.period) }?.code == .closed)
            #expect(await failure { try await output.setPulseWidth(.zero) }?.code == .closed)
            #expect(await failure { try await output.setPolarity(.normal) }?.code == .closed)
            #expect(await failure { try await output.enable() }?.code == .closed)
            #expect(await failure { try await output.disable() }?.code == .closed)
            #expect(await failure { _ = try await output.settings() }?.code == .closed)
        },
    ]

    private static let softwarePWM = [
        Behaviour("PWM", "Software makes pulses on a line where that is asked for, says so, and leaves the line low") {
            bench in
            let line = try await bench.board.makeDigitalOutput("GPIO12", .init(initialLevel: .low), consumer: "test")
            let output = SoftwarePWMOutput(on: line, clock: bench.loop)
            #expect(output.backend == .software)
            try await output.set(period: .milliseconds(40), pulseWidth: .milliseconds(40))
            #expect(try bench.level(of: "GPIO12") == .low)
            try await output.enable()
            #expect(try bench.level(of: "GPIO12") == .high)
            try await output.setPulseWidth(.milliseconds(20))
            var seen: Set<Level> = []
            for _ in 0..<200 where seen.count < 2 {
                try await bench.loop.sleep(for: .milliseconds(5))
                seen.insert(try bench.level(of: "GPIO12"))
            }
            #expect(seen == [.low, .high])
            await output.close()
            #expect(try bench.level(of: "GPIO12") == .low)
            #expect(await failure { try await output.enable() }?.code == .closed)
        }
    ]
}
