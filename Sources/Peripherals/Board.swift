/// A board: opens its peripherals by the names that its header and its documentation use.
///
/// `consumer` is the name of who opens it; whoever finds the peripheral taken later is told that name.
/// Everything opened is exclusive unless both openings say that they share it: a second one throws
/// ``PeripheralError/Code/busy``. A name that the
/// board does not have throws ``PeripheralError/Code/notFound`` and lists those that it has.
public protocol Board: AnyObject, Sendable {
    /// The profile's name: `raspberry-pi-5`, `simulated`.
    var name: String { get }

    /// The chips with digital lines that there are, with who holds which. Throws `permissionDenied` or `io`.
    func gpioChips() async throws -> [GPIOChipFacts]

    /// A line goes by its name on the header (`GPIO17`), by the kernel's name for it, or by its chip's label and its
    /// offset there (`pinctrl-bcm2711:17`). Throws `invalidArgument` for a debounce that is out of range.
    func makeDigitalInput(
        _ line: String, _ configuration: DigitalInputConfiguration, consumer: String
    ) async throws -> any DigitalInput

    func makeDigitalOutput(
        _ line: String, _ configuration: DigitalOutputConfiguration, consumer: String
    ) async throws -> any DigitalOutput

    /// Opens up to 64 lines of one chip as one: all or none. Throws `invalidArgument` for none, for too many, for one
    /// that is named twice, and for lines of several chips.
    func makeDigitalInputGroup(_ lines: [String], bias: Bias, consumer: String) async throws -> any DigitalInputGroup

    /// As ``makeDigitalInputGroup(_:bias:consumer:)``, with a level for each line from the first moment on.
    func makeDigitalOutputGroup(
        _ lines: [String], initialLevels: [Level], drive: Drive, consumer: String
    ) async throws -> any DigitalOutputGroup

    func makePWMOutput(_ channel: String, consumer: String) async throws -> any PWMOutput

    func makeI2CDevice(
        bus: String, address: I2CAddress, _ configuration: I2CConfiguration, consumer: String
    ) async throws -> any I2CDevice

    /// What the controller of an I2C bus can do.
    func i2cFunctionality(of bus: String) async throws -> I2CFunctionality

    /// Asks every address of an I2C bus whether somebody is there, without disturbing (see ``I2CScan``). Throws
    /// `timedOut` when the bus is stuck.
    func scanI2CBus(_ bus: String) async throws -> I2CScan

    func makeSPIDevice(
        _ target: String, _ configuration: SPIConfiguration, consumer: String
    ) async throws
        -> any SPIDevice

    /// `port` is a name of the board (`SERIAL0`) or the path of any serial port (`/dev/serial/by-id/…`).
    func makeSerialPort(
        _ port: String, _ configuration: SerialConfiguration, consumer: String
    ) async throws -> any SerialPort

    /// A sensor that a driver of the kernel reads. Throws `notFound` with those that there are, and `invalidArgument` where
    /// several are called the same.
    func makeKernelSensor(_ name: KernelSensorName, consumer: String) async throws -> any KernelSensor

    func makeStillCamera(_ configuration: StillCameraConfiguration, consumer: String) async throws -> any StillCamera

    /// A camera that goes on taking pictures, from now on.
    func makeFrameStream(_ configuration: FrameStreamConfiguration, consumer: String) async throws -> any FrameStream
}

extension Board {
    public func makeI2CDevice(bus: String, address: I2CAddress, consumer: String) async throws -> any I2CDevice {
        try await makeI2CDevice(bus: bus, address: address, I2CConfiguration(), consumer: consumer)
    }
}
