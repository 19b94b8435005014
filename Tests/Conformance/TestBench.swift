import DeviceRuntime
public import Peripherals

/// A board on a bench: the board, and the outside of its wires. Both benches are wired alike, so that a behaviour
/// is written once:
///
/// - `GPIO5` to `GPIO27`, but for `GPIO7`, can be driven and seen from outside;
/// - on `I2C1` every address acknowledges and reads zeros, on `I2C3` none does, and `STUB` knows SMBus commands
///   only and has chips with 256 registers at 0x70 and 0x48;
/// - `SPI0.0` reads what MISO is pulled to, and `GPIO7` is a chip select of its bus;
/// - `PWM0` runs with a period of 20 ms only; `PWM1` is not on its chip.
/// - `SERIAL0` is wired to a far end, and its driver knows eight bits without parity only.
public protocol TestBench: SerialBench {
    /// The label of the chip that has the lines, whose offsets are the numbers in their names.
    var chipLabel: String { get }

    /// Pulls a line from outside, by a resistor that is weaker than an output.
    func pull(_ line: String, to level: Level) throws

    /// Pulls a line to one level after the other while the program stands still: nothing reads the line's edges.
    func pullWhileStanding(_ line: String, to levels: [Level]) throws

    /// Lets another program hold a line until the behaviour has been shown; returns the name that it goes by.
    func holdByAnother(_ line: String) async throws -> String

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
    func signal(of channel: String) throws -> PWMSettings

    /// Sets a channel that nobody has open as a process did that then crashed.
    func leave(_ signal: PWMSettings, on channel: String) throws

    /// Puts a display chip, full of anything as after power-on, at 0x70 of the bus that is returned.
    func connectDisplay() async throws -> String

    /// The 16 bytes of what that chip shows.
    func displayMemory() async throws -> [UInt8]

    /// Presses one of that chip's 39 keys for 200 ms.
    func pressKey(_ key: Int) async throws
}

extension TestBench {
    /// Lets what was done at the wires arrive: the kernel of the tests raises interrupts on its timer's tick.
    public func settle() async throws { try await loop.sleep(for: .milliseconds(5)) }
}
