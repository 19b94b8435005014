import DeviceKit
public import Peripherals
public import SimulatedPeripherals

/// Something of a board that a part is connected to.
public enum Wire: Sendable, Hashable, CustomStringConvertible {
    case line(String)
    case pwmChannel(String)
    case i2cAddress(bus: String, I2CAddress)
    case i2cBus(String)
    case spiTarget(String)
    case serialPort(String)

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case line = "digital line"
        case pwmChannel = "PWM channel"
        case i2cAddress = "I2C address"
        case i2cBus = "I2C bus"
        case spiTarget = "SPI target"
        case serialPort = "serial port"
    }

    /// By its name on a board: `GPIO17`, or `I2C1 0x70` for an address.
    public init?(_ text: String, on names: SimulatedBoard.Names) {
        if names.lines.contains(text) {
            self = .line(text)
        } else if names.pwmChannels.contains(text) {
            self = .pwmChannel(text)
        } else if names.i2cBuses.contains(text) {
            self = .i2cBus(text)
        } else if names.spiTargets.contains(text) {
            self = .spiTarget(text)
        } else if names.serialPorts.contains(text) || text.hasPrefix("/dev/") {
            self = .serialPort(text)
        } else if let wire = Wire(address: text), case .i2cAddress(let bus, _) = wire, names.i2cBuses.contains(bus) {
            self = wire
        } else {
            return nil
        }
    }

    /// What a device needs for itself; `nil` where that is not a wire.
    init?(_ claim: Driver.Claim, of driver: Driver) {
        switch driver.options.first(where: { $0.name == claim.option })?.peripheral {
        case .line: self = .line(claim.name)
        case .pwmChannel: self = .pwmChannel(claim.name)
        case .spiTarget: self = .spiTarget(claim.name)
        case .serialPort: self = .serialPort(claim.name)
        case .i2cBus, nil: self.init(address: claim.name)
        }
    }

    /// `I2C1 0x70`
    private init?(address text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, let address = OptionKind<I2CAddress>.i2cAddress.parse(.scalar(words[1])) else {
            return nil
        }
        self = .i2cAddress(bus: words[0], address)
    }

    public var kind: Kind {
        switch self {
        case .line: .line
        case .pwmChannel: .pwmChannel
        case .i2cAddress: .i2cAddress
        case .i2cBus: .i2cBus
        case .spiTarget: .spiTarget
        case .serialPort: .serialPort
        }
    }

    public var description: String {
        switch self {
        case .line(let name), .pwmChannel(let name), .i2cBus(let name), .spiTarget(let name), .serialPort(let name):
            name
        case .i2cAddress(let bus, let address): "\(bus) \(address)"
        }
    }
}

extension DeviceConfiguration {
    /// What of the board it is connected to.
    var wires: [Wire] { claims.compactMap { Wire($0, of: driver) } }
}
