// The boards. Labels and device names are those that Raspberry Pi OS's kernels show; the header's GPIO numbers are
// the offsets of the lines on their chip (BCM numbering).

extension BoardProfile {
    /// Models 3 B, 3 B+, 3 A+ and Compute Module 3.
    public static let raspberryPi3 = raspberryPi(
        "raspberry-pi-3", models: ["Raspberry Pi 3", "Raspberry Pi Compute Module 3"], gpio: "pinctrl-bcm2835",
        pwm: "3f20c000.pwm", channels: 2)

    public static let raspberryPiZero2W = raspberryPi(
        "raspberry-pi-zero-2-w", models: ["Raspberry Pi Zero 2"], gpio: "pinctrl-bcm2835", pwm: "3f20c000.pwm",
        channels: 2)

    /// Models 4 B, 400 and Compute Module 4.
    public static let raspberryPi4 = raspberryPi(
        "raspberry-pi-4", models: ["Raspberry Pi 4", "Raspberry Pi Compute Module 4"], gpio: "pinctrl-bcm2711",
        pwm: "fe20c000.pwm", channels: 2)

    /// Models 5, 500 and Compute Module 5. The fan's controller, 1f0009c000.pwm, is not among its channels.
    public static let raspberryPi5 = raspberryPi(
        "raspberry-pi-5", models: ["Raspberry Pi 5", "Raspberry Pi Compute Module 5"], gpio: "pinctrl-rp1",
        pwm: "1f00098000.pwm", channels: 4)

    /// Any other board: lines by the kernel's names, buses by the kernel's numbers, and the only PWM chip.
    public static let generic = BoardProfile(
        name: "generic", pwmChannels: pwmChannels(devices: [], count: 4), i2cBuses: i2cBuses, spiTargets: spiTargets)

    private static func raspberryPi(
        _ name: String, models: [String], gpio: String, pwm: String, channels: Int
    ) -> BoardProfile {
        BoardProfile(
            name: name, models: models, gpioChipLabels: [gpio],
            lines: table(0...27) { ("GPIO\($0)", $0) },
            pwmChannels: pwmChannels(devices: [pwm], count: channels), i2cBuses: i2cBuses, spiTargets: spiTargets,
            serialPorts: serialPorts)
    }

    private static func pwmChannels(devices: [String], count: Int) -> [String: PWMChannel] {
        table(0...count - 1) { ("PWM\($0)", PWMChannel(devices: devices, channel: $0)) }
    }

    /// The kernel numbers buses by the device tree's aliases, so on these boards a number is a name.
    private static let i2cBuses = table(0...31) { ("I2C\($0)", "/dev/i2c-\($0)") }

    private static let spiTargets = table(0...20) { number in
        // Up to three chip selects a bus, as the overlays have.
        ("SPI\(number / 3).\(number % 3)", "/dev/spidev\(number / 3).\(number % 3)")
    }

    /// Links by which the firmware and udev tell which port is on the header (pins 8 and 10) and which one is the other.
    private static let serialPorts = ["SERIAL0": "/dev/serial0", "SERIAL1": "/dev/serial1"]

    private static func table<Value>(_ range: ClosedRange<Int>, _ entry: (Int) -> (String, Value)) -> [String: Value] {
        Dictionary(range.map(entry), uniquingKeysWith: { first, _ in first })
    }
}
