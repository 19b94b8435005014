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

    init(loop: EventLoop) throws {
        self.loop = loop
        simulated = SimulatedBoard(loop: loop)
        try simulated.i2cBus("I2C1").attachEverywhere(Zeros())
        let stub = simulated.addI2CBus("STUB")
        stub.setConditions { $0.functionality = .smbusStub }
        for address in [0x70, 0x48] { stub.attach(RegistersModel(), at: try #require(I2CAddress(address))) }
    }

    /// Acknowledges everything and reads zeros.
    private final class Zeros: SimulatedI2CTarget {
        func write(_ bytes: [UInt8]) {}
        func read(count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    }

    func pull(_ line: String, to level: Level) throws { try simulated.line(line).drive(level) }

    func level(of line: String) throws -> Level { try simulated.line(line).level }

    func pullMISO(to level: Level) throws {
        try simulated.spiTarget("SPI0.0").attach { bytes in bytes.map { _ in level == .high ? 0xFF : 0x00 } }
    }

    func lastBitOnMOSI() throws -> Level { try simulated.spiTarget("SPI0.0").lastBit }

    func bindKernelDriver(to address: I2CAddress, on bus: String) throws {
        try simulated.i2cBus(bus).setKernelDriver("dummy", at: address)
    }

    func unbindKernelDriver(from address: I2CAddress, on bus: String) throws {
        try simulated.i2cBus(bus).setKernelDriver(nil, at: address)
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
}
