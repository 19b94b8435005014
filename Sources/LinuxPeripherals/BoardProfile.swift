internal import Peripherals

/// A kind of board as data: which of the kernel's names its header's names stand for.
///
/// Chips are named by label or by device, never by number: the numbers change with the kernel.
public struct BoardProfile: Sendable, Hashable {
    /// A channel of a PWM chip.
    public struct PWMChannel: Sendable, Hashable {
        /// The names that the chip's device may have (`/sys/class/pwm/pwmchipN/device`); with none, the board's only
        /// PWM chip is meant.
        public var devices: [String]
        public var channel: Int

        public init(devices: [String], channel: Int) {
            self.devices = devices
            self.channel = channel
        }
    }

    /// `raspberry-pi-5`
    public var name: String
    /// How the names of the models that have this profile begin, in the device tree's `model`.
    public var models: [String]
    /// The labels of the GPIO chips whose lines may be used; with none, those of every chip.
    public var gpioChipLabels: [String]
    /// Header names and the line's offset on the first chip of ``gpioChipLabels`` that is there. Any other line is
    /// found by the kernel's name for it.
    public var lines: [String: Int]
    public var pwmChannels: [String: PWMChannel]
    /// `I2C1` → `/dev/i2c-1`
    public var i2cBuses: [String: String]
    /// `SPI0.0` → `/dev/spidev0.0`
    public var spiTargets: [String: String]
    /// `SERIAL0` → `/dev/serial0`
    public var serialPorts: [String: String]

    public init(
        name: String, models: [String] = [], gpioChipLabels: [String] = [], lines: [String: Int] = [:],
        pwmChannels: [String: PWMChannel] = [:], i2cBuses: [String: String] = [:], spiTargets: [String: String] = [:],
        serialPorts: [String: String] = [:]
    ) {
        self.name = name
        self.models = models
        self.gpioChipLabels = gpioChipLabels
        self.lines = lines
        self.pwmChannels = pwmChannels
        self.i2cBuses = i2cBuses
        self.spiTargets = spiTargets
        self.serialPorts = serialPorts
    }

    /// The profiles that there are.
    public static let all: [BoardProfile] = [raspberryPi3, raspberryPiZero2W, raspberryPi4, raspberryPi5, generic]

    /// The profile of that name; `auto` finds out which board this is. Throws `notFound` with the names that there
    /// are.
    ///
    /// `modelPath` is where the device tree says what the board is.
    public static func named(_ name: String, modelPath: String = "/proc/device-tree/model") throws -> BoardProfile {
        if name == "auto" { return try detect(modelPath) }
        if let profile = all.first(where: { $0.name == name }) { return profile }
        throw PeripheralError(.notFound, "there is no board profile '\(name)'", advice: "choose \(choices)")
    }

    /// The chips whose lines may be used, in the profile's order. Their numbers play no part.
    func gpioChips<Chip>(among chips: [Chip], label: (Chip) -> String) -> [Chip] {
        gpioChipLabels.isEmpty ? chips : gpioChipLabels.flatMap { wanted in chips.filter { label($0) == wanted } }
    }

    /// The profile of the board whose device tree says that it is a `model`; `nil` if there is none.
    public static func matching(_ model: String) -> BoardProfile? {
        all.first { $0.models.contains { model.hasPrefix($0) } }
    }

    private static func detect(_ modelPath: String) throws -> BoardProfile {
        guard let model = try? SystemFiles.text(of: modelPath) else {
            throw PeripheralError(
                .notFound, "this is no board that Perch knows: it has no device tree (\(modelPath))",
                advice: "choose the board 'simulated', or one by its name: \(choices)")
        }
        if let profile = matching(model) { return profile }
        throw PeripheralError(
            .notFound, "no board profile for '\(model)'",
            advice: "choose the nearest of \(choices); 'generic' takes lines by the kernel's names")
    }

    private static var choices: String { all.map(\.name).joined(separator: ", ") }
}
