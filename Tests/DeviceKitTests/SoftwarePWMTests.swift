import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Software PWM")
struct SoftwarePWMTests {
    /// A line on which pulses are made, and when its level changed.
    private final class Wire: Sendable {
        let loop: EventLoop
        let output: SoftwarePWMOutput
        private let changes = Protected<[(Duration, Level)]>([])

        init(loop: EventLoop, clock: (any MonotonicClock)? = nil) async throws {
            self.loop = loop
            let board = SimulatedBoard(loop: loop)
            let line = try await board.makeDigitalOutput("GPIO12", .init(initialLevel: .low), consumer: "test")
            output = SoftwarePWMOutput(on: line, clock: clock ?? loop)
            try board.line("GPIO12").watch { [changes] level in
                changes.withLock { $0.append((loop.now, level)) }
            }
        }

        /// When the level changed since the last call, in milliseconds.
        func times() -> [Int] {
            changes.withLock { changes in
                defer { changes = [] }
                return changes.map { Int($0.0 / .milliseconds(1)) }
            }
        }

        func sleep(_ milliseconds: Int) async throws { try await loop.sleep(for: .milliseconds(milliseconds)) }
    }

    private func withWire(_ body: @escaping @Sendable (Wire) async throws -> Void) async throws {
        try await EventLoop.run(time: .virtual) { loop in try await body(try await Wire(loop: loop)) }
    }

    @Test("Pulses begin on a grid and have their width; a new width counts from the next one on")
    func pulses() async throws {
        try await withWire { wire in
            try await wire.output.set(period: .milliseconds(10), pulseWidth: .milliseconds(3))
            try await wire.output.enable()
            try await wire.sleep(25)
            #expect(wire.times() == [0, 3, 10, 13, 20, 23])
            try await wire.sleep(6)
            try await wire.output.setPulseWidth(.milliseconds(7))
            try await wire.sleep(17)
            #expect(wire.times() == [30, 33, 40, 47])
        }
    }

    @Test("A width of zero and one of the whole period are steady levels, and pulses go on from either")
    func ends() async throws {
        try await withWire { wire in
            try await wire.output.set(period: .milliseconds(10), pulseWidth: .milliseconds(10))
            try await wire.output.enable()
            try await wire.sleep(100)
            #expect(wire.times() == [0])
            try await wire.output.setPulseWidth(.zero)
            try await wire.sleep(100)
            #expect(wire.times() == [100])
            try await wire.output.setPulseWidth(.milliseconds(4))
            try await wire.sleep(12)
            #expect(wire.times() == [200, 204, 210])
        }
    }

    @Test("Inversed pulses are low for their width; switching off and closing end at the inactive level")
    func polarity() async throws {
        try await withWire { wire in
            try await wire.output.set(period: .milliseconds(10), pulseWidth: .milliseconds(3))
            try await wire.output.setPolarity(.inversed)
            try await wire.output.enable()
            try await wire.sleep(14)
            #expect(wire.times() == [3, 10, 13])
            try await wire.sleep(7)
            try await wire.output.disable()
            try await wire.sleep(100)
            #expect(wire.times() == [20, 21])
        }
    }

    @Test("A loop that is busy leaves out what it missed, instead of making it up with faster pulses")
    func lateness() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let wire = try await Wire(loop: loop, clock: LateClock(loop: loop, lateness: .milliseconds(30)))
            try await wire.output.set(period: .milliseconds(10), pulseWidth: .milliseconds(5))
            try await wire.output.enable()
            try await wire.sleep(101)
            #expect(wire.times() == [0, 35, 65, 70, 100])
        }
    }

    @Test("A period that software cannot make is refused, and a line that is gone is told")
    func limits() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let line = try await board.makeDigitalOutput("GPIO12", .init(initialLevel: .low), consumer: "test")
            let output = SoftwarePWMOutput(on: line, clock: loop)
            #expect(await code { try await output.setPeriod(.milliseconds(1)) } == .unsupported)
            #expect(await code { try await output.enable() } == .invalidArgument)
            try await output.set(period: .milliseconds(10), pulseWidth: .milliseconds(5))
            #expect(await code { try await output.setPulseWidth(.milliseconds(11)) } == .invalidArgument)
            try await output.enable()
            line.close()
            try await loop.sleep(for: .milliseconds(20))
            #expect(await code { try await output.setPulseWidth(.milliseconds(2)) } == .closed)
        }
    }

    private func code(_ body: () async throws -> Void) async -> PeripheralError.Code? {
        do { try await body() } catch { return (error as? PeripheralError)?.code }
        return nil
    }
}

/// A clock whose timers are late, as those of a loop that is busy.
private final class LateClock: MonotonicClock {
    let loop: EventLoop
    let lateness: Duration

    init(loop: EventLoop, lateness: Duration) {
        self.loop = loop
        self.lateness = lateness
    }

    var now: Duration { loop.now }

    func schedule(at deadline: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledTimer {
        loop.schedule(at: deadline + lateness, handler)
    }
}
