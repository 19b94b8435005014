public import DeviceRuntime
import Peripherals

/// A BME280 or BMP280 on a bus (Bosch BST-BME280-DS002 revision 1.6): the registers, forced mode with the time that it
/// takes, and a calibration.
///
/// What it puts into its registers it finds by the datasheet's other formulas, those with floating point (section
/// 8.1): a driver that calculates wrongly gets another climate than the one that was set.
public final class BME280Model: SimulatedI2CTarget {
    public enum Kind: UInt8, Sendable {
        case bme280 = 0x60
        case bmp280 = 0x58
    }

    /// What is around it.
    public struct Climate: Sendable, Hashable {
        public var celsius = 21.0
        /// In percent.
        public var relativeHumidity = 45.0
        public var hectopascals = 1013.25

        public init() {}
    }

    private let registers: RegistersModel
    private let air = Protected(Climate())

    public init(_ kind: Kind = .bme280, clock: any MonotonicClock) {
        registers = RegistersModel(Map.registers(kind, air), clock: clock)
    }

    public var climate: Climate {
        get { air.withLock { $0 } }
        set { air.withLock { $0 = newValue } }
    }

    /// A register as it stands there, for a test that damages it.
    public subscript(register: UInt8) -> UInt8 {
        get { registers[register] }
        set { registers[register] = newValue }
    }

    /// Its power fails for a moment: it forgets how it is to measure, and what it has measured.
    public func powerOn() { registers.change(Map.forget) }

    /// A register and its value, then the next register and its value (section 6.2.1).
    public func write(_ bytes: [UInt8]) {
        if bytes.count == 1 { registers.write(bytes) }
        for place in stride(from: 0, to: bytes.count - 1, by: 2) { registers.write([bytes[place], bytes[place + 1]]) }
    }

    public func read(count: Int) -> [UInt8] { registers.read(count: count) }
}

/// The map of its memory (table 18). What it keeps without power is not a register's value after power-on here, since a
/// test may have damaged it.
private enum Map {
    private static let humidityControl = Register("ctrl_hum", at: 0xF2)
    private static let status = Register("status", at: 0xF3, .readOnly)
    private static let configuration = Register("config", at: 0xF5)
    private static let pressure = Register("press", at: 0xF7, bytes: 3, .readOnly, reset: skipped)
    private static let temperature = Register("temp", at: 0xFA, bytes: 3, .readOnly, reset: skipped)
    private static let humidity = Register("hum", at: 0xFD, bytes: 2, .readOnly, reset: 0x8000)
    /// 0x80000, in the upper 20 of 24 bits: not measured.
    private static let skipped = 0x80_0000
    private static let measuring = 0x08

    static func registers(_ kind: BME280Model.Kind, _ air: Protected<BME280Model.Climate>) -> [Register] {
        /// Which measurement goes on: one that a power failure or another one cut off has no result.
        let current = Protected(0)
        let control = Register("ctrl_meas", at: 0xF4) { registers, value in
            // Forced mode: one measurement, then sleep.
            guard value & 0x03 == 1 || value & 0x03 == 2 else { return }
            registers[status] = measuring
            let number = current.withLock { number in
                number += 1
                return number
            }
            registers.after(measuringTime(value, registers[humidityControl])) { registers in
                guard current.withLock({ $0 }) == number, registers[status] == measuring else { return }
                end(&registers, control: value, kind, air.withLock { $0 })
            }
        }
        let reset = Register("reset", at: 0xE0, .writeOnly) { registers, value in
            if value == 0xB6 { forget(&registers) }
        }
        return memory(kind) + [
            Register("id", at: 0xD0, .readOnly, reset: Int(kind.rawValue)), reset, humidityControl, status, control,
            configuration, pressure, temperature, humidity,
        ]
    }

    /// The calibration.
    private static func memory(_ kind: BME280Model.Kind) -> [Register] {
        func bytes(_ values: [UInt8], from first: Int) -> [Register] {
            values.enumerated().map { Register("calib", at: first + $0, .readOnly, reset: Int($1)) }
        }
        return bytes(BME280ModelCalibration.firstBlock, from: 0x88)
            + (kind == .bme280 ? bytes(BME280ModelCalibration.secondBlock, from: 0xE1) : [])
    }

    static func forget(_ registers: inout RegisterFile) {
        for register in [humidityControl, status, configuration, pressure, temperature, humidity] {
            registers[register] = register.reset
        }
        registers[0xF4] = 0
    }

    /// How many measurements make one, by three bits of a control register (section 5.4.5).
    private static func times(_ bits: Int) -> Int { bits == 0 ? 0 : 1 << (min(bits, 5) - 1) }

    /// The longest that it takes (section 9.1).
    private static func measuringTime(_ control: Int, _ humidityControl: Int) -> Duration {
        let (temperature, pressure) = (times(control >> 5), times(control >> 2 & 7))
        let humidity = times(humidityControl & 7)
        return .microseconds(
            1250 + 2300 * (temperature + pressure + humidity) + (pressure > 0 ? 575 : 0) + (humidity > 0 ? 575 : 0))
    }

    private static func end(
        _ registers: inout RegisterFile, control: Int, _ kind: BME280Model.Kind, _ climate: BME280Model.Climate
    ) {
        let raw = BME280ModelCalibration.raw(climate)
        registers[status] = 0
        registers[0xF4] = UInt8(truncatingIfNeeded: control & 0xFC)
        registers[pressure] = control >> 2 & 7 == 0 ? skipped : raw.pressure << 4
        registers[temperature] = control >> 5 == 0 ? skipped : raw.temperature << 4
        let hasHumidity = kind == .bme280 && registers[humidityControl] & 7 != 0
        registers[humidity] = hasHumidity ? raw.humidity : humidity.reset
    }
}
