import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

/// The simulated board, wired as the conformance suite expects.
private struct SimulatedBench: TestBench {
    let loop: EventLoop
    let simulated: SimulatedBoard

    var board: any Board { simulated }

    init(loop: EventLoop, lineInterface: LineInterface = .libgpiod2) throws {
        self.loop = loop
        simulated = SimulatedBoard(loop: loop, lineInterface: lineInterface)
    }

    var chipLabel: String { SimulatedBoard.chipLabel }

    func pull(_ line: String, to level: Level) throws { try simulated.line(line).pull(level) }

    func pullWhileStanding(_ line: String, to levels: [Level]) throws {
        for level in levels { try pull(line, to: level) }
    }

    func holdByAnother(_ line: String) async throws -> String {
        try simulated.line(line).hold(by: "gpioset")
        return "gpioset"
    }

    func level(of line: String) throws -> Level { try simulated.line(line).level }

    func pullMISO(to level: Level) throws {
        try simulated.spiTarget("SPI0.0").attach { bytes in bytes.map { _ in level == .high ? 0xFF : 0x00 } }
    }

    func signal(of channel: String) throws -> PWMSignal {
        let signal = try simulated.pwmChannel(channel).signal
        return PWMSignal(period: signal.period, pulseWidth: signal.pulseWidth, isEnabled: signal.isEnabled)
    }
}

@Suite("Conformance of the simulated board")
struct ConformanceTests {
    @Test("Behaves like the kernel", arguments: Behaviour.all)
    func behaviour(_ behaviour: Behaviour) async throws {
        try await EventLoop.run(time: .virtual) { loop in try await behaviour.run(on: SimulatedBench(loop: loop)) }
    }

    @Test("Behaves like the kernel with libgpiod 1.6", arguments: Behaviour.digitalLines)
    func firstInterface(_ behaviour: Behaviour) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            try await behaviour.show(SimulatedBench(loop: loop, lineInterface: .libgpiod1))
        }
    }
}
