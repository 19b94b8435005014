/// What there is on this board, and what of it this process may use: plain data, for a person who asks why something
/// does not work.
public struct BoardFacts: Sendable, Hashable {
    /// Whether this process may open something.
    public struct Access: Sendable, Hashable {
        public var isAllowed: Bool
        /// A group whose members may, other than root's; `nil` if there is none or none is needed.
        public var helpfulGroup: String?

        public init(isAllowed: Bool, helpfulGroup: String? = nil) {
            self.isAllowed = isAllowed
            self.helpfulGroup = helpfulGroup
        }
    }

    public struct GPIO: Sendable, Hashable {
        public var path: String
        public var access: Access
        /// What a board profile knows the chip by; `nil` if it may not be opened, as the number of lines.
        public var label: String?
        public var lineCount: Int?
    }

    public struct I2C: Sendable, Hashable {
        public var path: String
        public var access: Access
        /// The kernel's name for the controller: `bcm2835 (i2c@7e804000)`.
        public var adapter: String
        /// What it can do, as `I2C_FUNC_…` of linux/i2c.h; `nil` if it may not be opened.
        public var functionality: UInt?
    }

    public struct SPI: Sendable, Hashable {
        public var path: String
        public var access: Access
    }

    public struct PWM: Sendable, Hashable {
        public var path: String
        public var access: Access
        /// What a board profile knows the chip by: `fe20c000.pwm`.
        public var device: String
        public var channelCount: Int
        /// Whether it drives the board's own fan, and is never opened.
        public var isReserved: Bool
    }

    public struct Serial: Sendable, Hashable {
        public var path: String
        public var access: Access
        /// The links that lead to it: `/dev/serial0`, `/dev/serial/by-id/…`.
        public var links: [String]
    }

    /// What the device tree says; `nil` on a machine without one.
    public var model: String?
    /// `6.6.51+rpt-rpi-v8`
    public var kernelRelease: String
    public var gpioChips: [GPIO]
    public var i2cBuses: [I2C]
    public var spiTargets: [SPI]
    /// How many bytes spidev takes in one message; `nil` without spidev.
    public var spiBufferSize: Int?
    public var pwmChips: [PWM]
    public var serialPorts: [Serial]
}
