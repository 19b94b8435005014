import DeviceRuntime

/// A DS18B20 on 1-Wire, as the kernel's w1_therm shows it: the sensor's nine bytes with their check byte (Maxim
/// 19-7487, pages 7 to 9), and the temperature in them, in the file `w1_slave`.
public final class DS18B20Model: Sendable {
    /// How its wire and its supply do.
    public enum Condition: Sendable, CaseIterable {
        case good
        /// It loses its power while it measures, and answers with what it has after power-on: 85 °C.
        case losingPower
        /// Its wire is short to ground: zeros, whose check byte is right.
        case shortCircuited
        /// Its wire is cut: ones.
        case cut
    }

    private struct State {
        var celsius = 21.0
        var condition = Condition.good
    }

    private let sensor: SimulatedKernelSensor
    private let state = Protected(State())

    public init(on sensor: SimulatedKernelSensor) {
        self.sensor = sensor
        // With its full resolution (page 8).
        sensor.setReadingTime(.milliseconds(750))
        write()
    }

    public var celsius: Double {
        get { state.withLock { $0.celsius } }
        set {
            state.withLock { $0.celsius = newValue }
            write()
        }
    }

    public var condition: Condition {
        get { state.withLock { $0.condition } }
        set {
            state.withLock { $0.condition = newValue }
            write()
        }
    }

    private func write() {
        let state = state.withLock { $0 }
        // In sixteenths of a degree.
        let raw = Int16((min(max(state.celsius, -55), 125) * 16).rounded())
        let (data, sixteenths): ([UInt8], Int16) =
            switch state.condition {
            case .good: (Self.memory(raw), raw)
            case .losingPower: (Self.memory(85 * 16), 85 * 16)
            case .shortCircuited: ([UInt8](repeating: 0, count: 9), 0)
            case .cut: ([UInt8](repeating: 0xFF, count: 9), -1)
            }
        let check = Self.checksum(data.dropLast())
        let bytes = data.map(hexadecimal).joined(separator: " ")
        let verdict = check == data.last ? "YES" : "NO"
        sensor["w1_slave"] =
            "\(bytes) : crc=\(hexadecimal(check)) \(verdict)\n\(bytes) t=\(Int(sixteenths) * 1000 / 16)"
    }

    /// The scratchpad: temperature, alarm limits, configuration, three reserved bytes, the check byte.
    private static func memory(_ raw: Int16) -> [UInt8] {
        let bits = UInt16(bitPattern: raw)
        let data = [UInt8(bits & 0xFF), UInt8(bits >> 8), 0x4B, 0x46, 0x7F, 0xFF, 0x0C, 0x10]
        return data + [checksum(data)]
    }

    /// CRC-8 with the polynomial x⁸ + x⁵ + x⁴ + 1, the low bit first (page 9).
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { checksum, byte in
            (0..<8).reduce(checksum ^ byte) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x8C }
        }
    }
}

private func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
