public import Peripherals

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
        /// Its label and lines, and who holds which; `nil` if it may not be opened.
        public var chip: GPIOChipFacts?

        public init(path: String, access: Access, chip: GPIOChipFacts? = nil) {
            self.path = path
            self.access = access
            self.chip = chip
        }
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

    /// A watchdog of the hardware, which resets a board that hangs.
    public struct Watchdog: Sendable, Hashable {
        /// `Broadcom BCM2835 Watchdog timer`
        public var name: String
        /// Whether somebody feeds it.
        public var isActive: Bool
    }

    /// Flash memory that tells how worn out it is: eMMC, and not SD cards.
    public struct Flash: Sendable, Hashable {
        /// `mmcblk0`
        public var name: String
        /// How much of its life is used, at most, in percent (`life_time` of the MMC device attributes, kernel doc
        /// driver-api/mmc/mmc-dev-attrs).
        public var wear: Int
    }

    /// What the device tree says; `nil` on a machine without one.
    public var model: String?
    /// `6.6.51+rpt-rpi-v8`
    public var kernelRelease: String
    /// `Debian GNU/Linux 13 (trixie)`; `nil` if /etc/os-release does not say.
    public var operatingSystem: String?
    /// The file of the firmware's settings (`config.txt`); `nil` on a board that has none.
    public var bootConfiguration: String?
    /// Whether udev has rules of Perch's package.
    public var hasRules: Bool
    public var gpioChips: [GPIO]
    public var i2cBuses: [I2C]
    public var spiTargets: [SPI]
    /// How many bytes spidev takes in one message; `nil` without spidev.
    public var spiBufferSize: Int?
    public var pwmChips: [PWM]
    public var serialPorts: [Serial]
    public var watchdogs: [Watchdog]
    public var flash: [Flash]

    public init(
        model: String? = nil, kernelRelease: String, operatingSystem: String? = nil, bootConfiguration: String? = nil,
        hasRules: Bool = true, gpioChips: [GPIO] = [], i2cBuses: [I2C] = [], spiTargets: [SPI] = [],
        spiBufferSize: Int? = nil, pwmChips: [PWM] = [], serialPorts: [Serial] = [], watchdogs: [Watchdog] = [],
        flash: [Flash] = []
    ) {
        self.model = model
        self.kernelRelease = kernelRelease
        self.operatingSystem = operatingSystem
        self.bootConfiguration = bootConfiguration
        self.hasRules = hasRules
        self.gpioChips = gpioChips
        self.i2cBuses = i2cBuses
        self.spiTargets = spiTargets
        self.spiBufferSize = spiBufferSize
        self.pwmChips = pwmChips
        self.serialPorts = serialPorts
        self.watchdogs = watchdogs
        self.flash = flash
    }
}
