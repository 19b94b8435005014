import DeviceRuntime
import Peripherals

/// The chip at its address: what stands in its registers (Bosch BST-BME280-DS002 revision 1.6, pages 26 to 31).
struct BME280Chip {
    /// How many measurements it makes of one, and the bits that say so (section 5.4.5).
    enum Oversampling: UInt8, CaseIterable {
        case one = 1
        case two, four, eight, sixteen

        var times: Int { 1 << (Int(rawValue) - 1) }
    }

    private enum Register {
        static let calibration: I2CRegister = 0x88
        static let identity: I2CRegister = 0xD0
        static let reset: I2CRegister = 0xE0
        static let humidityCalibration: I2CRegister = 0xE1
        static let controlHumidity: I2CRegister = 0xF2
        /// With the measured values at 0xF7 to 0xFE.
        static let status: I2CRegister = 0xF3
        static let controlMeasurement: I2CRegister = 0xF4
    }

    private let device: any I2CDevice
    private let clock: any MonotonicClock
    private let calibration: BME280Calibration

    private static func place(_ device: any I2CDevice) -> String { "\(device.busName) \(device.address)" }

    /// Makes sure that it is the chip, brings it to a known state and fetches its calibration. Throws `unsupported` when
    /// another part answers.
    init(on device: any I2CDevice, clock: any MonotonicClock) async throws {
        self.device = device
        self.clock = clock
        let hasHumidity = try Self.hasHumidity(
            identity: try await device.readRegister(Register.identity), at: Self.place(device))
        try await device.writeRegister(Register.reset, 0xB6)
        // It starts within 2 ms (section 1.1), and has fetched its calibration when `im_update` is clear (5.4.4).
        try await Self.waitUntil(device, isClear: 0x01, after: .milliseconds(3), clock, reading: 1)
        let first = try await device.readRegisters(from: Register.calibration, count: 26)
        let second = hasHumidity ? try await device.readRegisters(from: Register.humidityCalibration, count: 7) : nil
        guard let calibration = BME280Calibration(first, humidity: second) else {
            throw PeripheralError(
                .corrupted, "\(Self.place(device)): the chip's calibration is empty",
                advice: "check its power and its wiring; if it stays so, the chip is damaged")
        }
        self.calibration = calibration
    }

    /// Whether the chip that answers measures humidity. Throws for any other part.
    private static func hasHumidity(identity: UInt8, at place: String) throws -> Bool {
        switch identity {
        case 0x60: return true
        // A BMP280, or two of its samples (table 17).
        case 0x58, 0x57, 0x56: return false
        case 0x61:
            throw PeripheralError(
                .unsupported, "\(place) is a BME680 (chip id 0x61), which measures differently",
                advice: "this driver is for a BME280 or a BMP280")
        default:
            throw PeripheralError(
                .unsupported,
                "\(place): another part answers, with chip id 0x\(String(identity, radix: 16)) instead of 0x60",
                advice: "check the address: a BME280 has 0x76 or 0x77")
        }
    }

    /// Lets it measure once, and fetches what it measured.
    func measure(_ oversampling: Oversampling) async throws -> BME280Reading {
        let bits = oversampling.rawValue
        // Each time, since a chip that lost its power for a moment has forgotten it. The humidity's takes effect with
        // the write after it (5.4.3), which also starts one measurement: forced mode, 01.
        if calibration.humidity != nil { try await device.writeRegister(Register.controlHumidity, bits) }
        try await device.writeRegister(Register.controlMeasurement, bits << 5 | bits << 2 | 0x01)
        // The longest that it takes (section 9.1).
        let quantities = calibration.humidity == nil ? 2 : 3
        let time = 1250 + 2300 * oversampling.times * quantities + 575 * (quantities - 1)
        let registers = try await Self.waitUntil(
            device, isClear: 0x08, after: .microseconds(time), clock, reading: 12)
        return BME280Reading(Array(registers.dropFirst(4)), calibration)
    }

    /// Reads from the status register on until one of its bits is clear.
    @discardableResult
    private static func waitUntil(
        _ device: any I2CDevice, isClear bit: UInt8, after time: Duration, _ clock: any MonotonicClock,
        reading count: Int
    ) async throws -> [UInt8] {
        for _ in 0..<3 {
            try await clock.sleep(for: time)
            let registers = try await device.readRegisters(from: Register.status, count: count)
            if registers[0] & bit == 0 { return registers }
        }
        throw PeripheralError(
            .timedOut, "\(place(device)): the chip is busy for longer than it may be", advice: "check its power")
    }
}
