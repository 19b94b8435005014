import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("What can go wrong with a simulated PWM channel")
struct PWMTests {
    private static func withChannel(
        _ traits: SimulatedPWMChannel.Traits,
        _ body: @escaping @Sendable (EventLoop, SimulatedBoard, SimulatedPWMChannel) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let channel = try board.pwmChannel("PWM0")
            channel.traits = traits
            try await body(loop, board, channel)
        }
    }

    private static func code(_ body: () async throws -> Void) async -> PeripheralError.Code? {
        do { try await body() } catch { return (error as? PeripheralError)?.code }
        return nil
    }

    @Test("Permission that comes late is waited for")
    func latePermission() async throws {
        var traits = SimulatedPWMChannel.Traits()
        traits.permissionDelay = .milliseconds(900)
        try await Self.withChannel(traits) { loop, board, _ in
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            #expect(loop.now == .milliseconds(900))
            try await output.setPeriod(.milliseconds(20))
        }
    }

    @Test("Permission that does not come is an error after a while, and the channel is not held")
    func noPermission() async throws {
        var traits = SimulatedPWMChannel.Traits()
        traits.permissionDelay = .seconds(60)
        try await Self.withChannel(traits) { loop, board, channel in
            let code = await Self.code { _ = try await board.makePWMOutput("PWM0", consumer: "test") }
            #expect(code == .permissionDenied)
            #expect(loop.now == .seconds(2))
            channel.traits.permissionDelay = .zero
            await (try await board.makePWMOutput("PWM0", consumer: "test")).close()
        }
    }

    @Test("A chip that cannot inverse its pulses says so, and stays as it is")
    func polarity() async throws {
        var traits = SimulatedPWMChannel.Traits()
        traits.canInverse = false
        try await Self.withChannel(traits) { _, board, channel in
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            try await output.setPeriod(.milliseconds(20))
            #expect(await Self.code { try await output.setPolarity(.inversed) } == .unsupported)
            try await output.setPolarity(.normal)
            #expect(channel.signal == PWMSettings(period: .milliseconds(20)))
        }
    }

    @Test("A driver that needs a distance between a pulse's edges refuses what is nearer, and takes both ends")
    func edges() async throws {
        var traits = SimulatedPWMChannel.Traits()
        traits.edgeDistance = .nanoseconds(15)
        try await Self.withChannel(traits) { _, board, _ in
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            try await output.setPeriod(.microseconds(1))
            for (width, isTaken) in [(0, true), (14, false), (15, true), (985, true), (986, false), (1000, true)] {
                let code = await Self.code { try await output.setPulseWidth(.nanoseconds(width)) }
                #expect(code == (isTaken ? nil : .invalidArgument), "\(width)")
            }
        }
    }
}
