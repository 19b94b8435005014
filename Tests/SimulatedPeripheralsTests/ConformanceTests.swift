import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

/// The simulated board, wired as the conformance suite expects.
private struct SimulatedBench: TestBench {
    let loop: EventLoop
    let simulated: SimulatedBoard
    private let display: HT16K33Model
    /// How much of what arrived at the far end was taken.
    private let serialTaken = Protected(0)

    var board: any Board { simulated }

    init(loop: EventLoop, lineInterface: LineInterface = .libgpiod2) throws {
        self.loop = loop
        simulated = SimulatedBoard(loop: loop, lineInterface: lineInterface)
        display = HT16K33Model(loop: simulated.loop, generator: simulated.makeGenerator())
        try simulated.pwmChannel("PWM1").traits.isPresent = false
        try simulated.serialPort("SERIAL0").limit { $0.dataBits == .eight && $0.parity == .none }
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

    var chipLabel: String { SimulatedBoard.chipLabel }

    func pull(_ line: String, to level: Level) throws { try simulated.line(line).pull(level) }

    func pullWhileStanding(_ line: String, to levels: [Level]) throws {
        for level in levels { try pull(line, to: level) }
    }

    func holdByAnother(_ line: String) async throws -> String {
        try simulated.line(line).ownership.hold(by: "gpioset")
        return "gpioset"
    }

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

    func signal(of channel: String) throws -> PWMSettings { try simulated.pwmChannel(channel).signal }

    func leave(_ signal: PWMSettings, on channel: String) throws { try simulated.pwmChannel(channel).leave(signal) }

    func connectDisplay() async throws -> String {
        let address = try #require(I2CAddress(0x70))
        try simulated.i2cBus("I2C1").attach(display, at: address)
        return "I2C1"
    }

    func displayMemory() async throws -> [UInt8] { display.ram }

    func pressKey(_ key: Int) async throws { display.press(key, for: .milliseconds(200)) }

    func serialSend(_ bytes: [UInt8]) async throws { try simulated.serialPort("SERIAL0").send(bytes) }

    func serialReceived(_ count: Int) async throws -> [UInt8] {
        let port = try simulated.serialPort("SERIAL0")
        let start = serialTaken.withLock { $0 }
        while port.received.count < start + count { try await loop.sleep(for: .milliseconds(1)) }
        serialTaken.withLock { $0 = start + count }
        return Array(port.received[start..<start + count])
    }

    func serialUnplug() throws { try simulated.serialPort("SERIAL0").unplug() }
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
