/// A board: opens its peripherals by the names that its header and its documentation use.
///
/// `consumer` is the name of who opens it; whoever finds the peripheral taken later is told that name.
/// Everything opened is exclusive: a second opening throws ``PeripheralError/Code/busy``. A name that the
/// board does not have throws ``PeripheralError/Code/notFound`` and lists those that it has.
public protocol Board: AnyObject, Sendable {
    /// The profile's name: `raspberry-pi-5`, `simulated`.
    var name: String { get }

    func makeDigitalInput(
        _ line: String, _ configuration: DigitalInputConfiguration, consumer: String
    ) async throws -> any DigitalInput

    func makeDigitalOutput(
        _ line: String, _ configuration: DigitalOutputConfiguration, consumer: String
    ) async throws -> any DigitalOutput

    func makePWMOutput(_ channel: String, consumer: String) async throws -> any PWMOutput

    func makeI2CDevice(bus: String, address: I2CAddress, consumer: String) async throws -> any I2CDevice

    func makeSPIDevice(
        _ target: String, _ configuration: SPIConfiguration, consumer: String
    ) async throws
        -> any SPIDevice

    /// `port` is a name of the board (`SERIAL0`) or the path of any serial port (`/dev/serial/by-id/…`).
    func makeSerialPort(
        _ port: String, _ configuration: SerialConfiguration, consumer: String
    ) async throws -> any SerialPort

    func makeStillCamera(_ configuration: StillCameraConfiguration, consumer: String) async throws -> any StillCamera
}
