public import DeviceRuntime
public import Peripherals

/// A board on a bench: the board, and the outside of its wires. Both benches are wired alike, so that a behaviour
/// is written once:
///
/// - `GPIO5` to `GPIO27` can be driven and seen from outside;
/// - on `I2C1` every address acknowledges and reads zeros, on `I2C3` none does, and `STUB` knows SMBus commands
///   only and has chips with 256 registers at 0x70 and 0x48;
/// - `SPI0.0` reads what MISO is pulled to;
/// - `PWM0` takes a period of 20 ms.
public protocol TestBench: Sendable {
    var loop: EventLoop { get }
    var board: any Board { get }

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
