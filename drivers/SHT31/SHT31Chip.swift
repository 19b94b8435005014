import DeviceRuntime
import Peripherals

/// The chip at its address: its commands of two bytes (Sensirion SHT3x-DIS version 5, May 2018, pages 9 to 13).
struct SHT31Chip {
    /// How carefully it measures, and how long that takes at most (table 4).
    enum Repeatability: String, CaseIterable {
        case low, medium, high

        var time: Duration {
            switch self {
            case .low: .milliseconds(5)
            case .medium: .milliseconds(7)
            case .high: .milliseconds(16)
            }
        }

        /// Table 9.
        func command(stretchingClock: Bool) -> [UInt8] {
            switch self {
            case .low: stretchingClock ? [0x2C, 0x10] : [0x24, 0x16]
            case .medium: stretchingClock ? [0x2C, 0x0D] : [0x24, 0x0B]
            case .high: stretchingClock ? [0x2C, 0x06] : [0x24, 0x00]
            }
        }
    }

    private enum Command {
        static let reset: [UInt8] = [0x30, 0xA2]
        static let heaterOn: [UInt8] = [0x30, 0x6D]
        static let heaterOff: [UInt8] = [0x30, 0x66]
        static let status: [UInt8] = [0xF3, 0x2D]
    }

    private let device: any I2CDevice
    private let clock: any MonotonicClock

    private var place: String { "\(device.busName) \(device.address)" }

    /// Resets it, heater included, and makes sure that it is the chip. Throws `unsupported` when another part answers.
    init(on device: any I2CDevice, clock: any MonotonicClock) async throws {
        self.device = device
        self.clock = clock
        try await device.write(Command.reset)
        // 1.5 ms at most (table 4).
        try await clock.sleep(for: .milliseconds(2))
        // It has no number of its kind, but nobody else has its check bytes.
        guard let status = SHT31Data.words(try await device.writeRead(Command.status, count: 3)) else {
            throw PeripheralError(
                .unsupported, "\(place): another part answers, without an SHT31's check bytes",
                advice: "check the address: an SHT31 has 0x44 or 0x45")
        }
        // Bit 1: the last command was not understood (table 18).
        guard let word = status.first, word & 0x02 == 0 else {
            throw PeripheralError(
                .unsupported, "\(place): another part answers, which does not know an SHT31's reset",
                advice: "check the address: an SHT31 has 0x44 or 0x45")
        }
    }

    /// Measures once, and once more if what arrives is damaged.
    func measure(
        _ repeatability: Repeatability, stretchingClock: Bool
    ) async throws -> (
        celsius: Double, relativeHumidity: Double
    ) {
        for _ in 0..<2 {
            let command = repeatability.command(stretchingClock: stretchingClock)
            let bytes: [UInt8]
            if stretchingClock {
                bytes = try await device.writeRead(command, count: 6)
            } else {
                try await device.write(command)
                try await clock.sleep(for: repeatability.time)
                bytes = try await device.read(count: 6)
            }
            if let words = SHT31Data.words(bytes), words.count == 2 {
                return (SHT31Data.celsius(words[0]), SHT31Data.relativeHumidity(words[1]))
            }
        }
        throw PeripheralError(
            .corrupted, "\(place): the check bytes of what it measured are wrong",
            advice: "check the wires: they may be too long, or the pull-up resistors too weak")
    }

    func setHeater(_ isOn: Bool) async throws {
        try await device.write(isOn ? Command.heaterOn : Command.heaterOff)
    }
}
