/// What answered on an I2C bus.
public struct I2CScan: Sendable, Hashable {
    public enum Finding: Sendable, Hashable {
        /// A part acknowledged.
        case answered
        /// A driver of the kernel holds the address, which was left alone; with the driver's name where it is known.
        case heldByKernel(driver: String?)
        /// The controller has no command that would ask without disturbing.
        case notAsked
    }

    /// Addresses that are not in here did not answer.
    public var findings: [I2CAddress: Finding]

    public init(findings: [I2CAddress: Finding] = [:]) { self.findings = findings }

    /// How to ask an address without disturbing the part there, as i2cdetect does by default: a quick write would move
    /// the pointer of an EEPROM (0x50 to 0x5F) or write-protect it for good (0x30 to 0x37), and reading a byte upsets
    /// some others. `nil` where the controller cannot.
    package static func question(for address: I2CAddress, _ functionality: I2CFunctionality) -> SMBusCommand? {
        let question: SMBusCommand =
            switch address.rawValue {
            case 0x30...0x37, 0x50...0x5F: .receiveByte
            default: .quick(isRead: false)
            }
        return functionality.isSuperset(of: question.needs) ? question : nil
    }

    /// Asks every address of seven bits, one after the other, with what else goes on on the bus in between. Throws
    /// when the bus fails otherwise than by silence.
    package static func run(
        _ functionality: I2CFunctionality, heldByKernel: (I2CAddress) async throws -> Finding?,
        ask: (I2CAddress, SMBusCommand) async throws -> Void
    ) async throws -> I2CScan {
        var scan = I2CScan()
        for address in I2CAddress.all {
            if let held = try await heldByKernel(address) {
                scan.findings[address] = held
            } else if let question = question(for: address, functionality) {
                do {
                    try await ask(address, question)
                    scan.findings[address] = .answered
                } catch let error as PeripheralError where error.code == .noAcknowledge {}
            } else {
                scan.findings[address] = .notAsked
            }
        }
        return scan
    }
}
