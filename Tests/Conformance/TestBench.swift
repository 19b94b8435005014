public import DeviceRuntime
public import Peripherals

/// A board on a bench: the board, and the outside of its wires. Both benches are wired alike, so that a behaviour
/// is written once:
///
/// - `GPIO5` to `GPIO27`, but for `GPIO7`, can be driven and seen from outside;
/// - on `I2C1` every address acknowledges and reads zeros, on `I2C3` none does, and `STUB` knows SMBus commands
///   only and has chips with 256 registers at 0x70 and 0x48;
/// - `SPI0.0` reads what MISO is pulled to, and `GPIO7` is a chip select of its bus;
/// - `PWM0` takes a period of 20 ms.
public protocol TestBench: Sendable {
    var loop: EventLoop { get }
    var board: any Board { get }

    /// Drives a line from outside.
    func pull(_ line: String, to level: Level) throws

    /// The level of a line as it is seen from outside.
    func level(of line: String) throws -> Level

    /// Pulls what SPI reads.
    func pullMISO(to level: Level) throws

    /// What MOSI was left at by the last SPI transfer.
    func lastBitOnMOSI() throws -> Level

    /// Binds the kernel's driver `dummy` to an I2C address.
    func bindKernelDriver(to address: I2CAddress, on bus: String) throws
    func unbindKernelDriver(from address: I2CAddress, on bus: String) throws

    /// What a PWM channel does.
    func signal(of channel: String) throws -> PWMSignal
}

/// What a PWM channel does.
public struct PWMSignal: Sendable, Hashable {
    public var period: Duration
    public var pulseWidth: Duration
    public var isEnabled: Bool

    public init(period: Duration, pulseWidth: Duration, isEnabled: Bool) {
        self.period = period
        self.pulseWidth = pulseWidth
        self.isEnabled = isEnabled
    }
}

extension TestBench {
    /// Lets what was done at the wires arrive: the kernel of the tests raises interrupts on its timer's tick.
    public func settle() async throws { try await loop.sleep(for: .milliseconds(5)) }
}
