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

    fileprivate struct State {
        var climate = Climate()
        var registers = [UInt8](repeating: 0, count: 256)
        var pointer: UInt8 = 0
        /// When the measurement that goes on is over.
        var measuringUntil: Duration?
    }

    private let kind: Kind
    private let clock: any MonotonicClock
    private let state: Protected<State>

    public init(_ kind: Kind = .bme280, clock: any MonotonicClock) {
        self.kind = kind
        self.clock = clock
        var state = State()
        state.registers[0xD0] = kind.rawValue
        state.registers.replaceSubrange(0x88..<0xA2, with: BME280ModelCalibration.firstBlock)
        if kind == .bme280 { state.registers.replaceSubrange(0xE1..<0xE8, with: BME280ModelCalibration.secondBlock) }
        self.state = Protected(state)
        powerOn()
    }

    public var climate: Climate {
        get { state.withLock { $0.climate } }
        set { state.withLock { $0.climate = newValue } }
    }

    /// A register as it stands there, for a test that damages it.
    public subscript(register: UInt8) -> UInt8 {
        get { state.withLock { $0.registers[Int(register)] } }
        set { state.withLock { $0.registers[Int(register)] = newValue } }
    }

    /// Its power fails for a moment: it forgets how it is to measure, and what it has measured.
    public func powerOn() {
        state.withLock { state in
            for register in 0xF2...0xFE { state.registers[register] = 0 }
            // Table 18: pressure and temperature 0x80000, humidity 0x8000.
            for register in [0xF7, 0xFA, 0xFD] { state.registers[register] = 0x80 }
            state.measuringUntil = nil
        }
    }

    // MARK: The bus

    /// A register and its value, then the next register and its value (section 6.2.1).
    public func write(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        state.withLock { $0.pointer = first }
        for place in stride(from: 0, to: bytes.count - 1, by: 2) { set(bytes[place], to: bytes[place + 1]) }
    }

    private func set(_ register: UInt8, to value: UInt8) {
        switch register {
        case 0xE0 where value == 0xB6: powerOn()
        case 0xF2, 0xF5: state.withLock { $0.registers[Int(register)] = value }
        case 0xF4:
            let now = clock.now
            state.withLock { state in
                state.registers[0xF4] = value
                // Forced mode: one measurement, then sleep.
                if value & 0x03 == 1 || value & 0x03 == 2 { state.measuringUntil = now + state.measuringTime }
            }
        // Other registers cannot be written.
        default: break
        }
    }

    public func read(count: Int) -> [UInt8] {
        let now = clock.now
        let kind = kind
        return state.withLock { state in
            if let end = state.measuringUntil, end <= now { state.endMeasurement(kind) }
            state.registers[0xF3] = state.measuringUntil == nil ? 0 : 0x08
            return (0..<count).map { _ in
                defer { state.pointer &+= 1 }
                return state.registers[Int(state.pointer)]
            }
        }
    }
}

extension BME280Model.State {
    private func times(_ bits: UInt8) -> Int { bits == 0 ? 0 : 1 << (min(Int(bits), 5) - 1) }

    /// The longest that it takes (section 9.1).
    fileprivate var measuringTime: Duration {
        let control = registers[0xF4]
        let (temperature, pressure, humidity) = (
            times(control >> 5), times(control >> 2 & 7), times(registers[0xF2] & 7)
        )
        let microseconds =
            1250 + 2300 * (temperature + pressure + humidity) + (pressure > 0 ? 575 : 0) + (humidity > 0 ? 575 : 0)
        return .microseconds(microseconds)
    }

    fileprivate mutating func endMeasurement(_ kind: BME280Model.Kind) {
        measuringUntil = nil
        let control = registers[0xF4]
        registers[0xF4] = control & 0xFC
        let raw = BME280ModelCalibration.raw(climate)
        func put(_ value: Int, at register: Int) {
            registers[register] = UInt8(value >> 12)
            registers[register + 1] = UInt8(value >> 4 & 0xFF)
            registers[register + 2] = UInt8(value << 4 & 0xF0)
        }
        put(control >> 2 & 7 == 0 ? 0x80000 : raw.pressure, at: 0xF7)
        put(control >> 5 == 0 ? 0x80000 : raw.temperature, at: 0xFA)
        let humidity = kind == .bmp280 || registers[0xF2] & 7 == 0 ? 0x8000 : raw.humidity
        registers[0xFD] = UInt8(humidity >> 8)
        registers[0xFE] = UInt8(humidity & 0xFF)
    }
}
