import DeviceKit
import Peripherals

/// What of which sensor is read: `hwmon:cpu_thermal/temp1`, `iio:bme280/humidityrelative`, `w1:28-0316a2794aff`.
struct KernelSensorSource: Sendable, Hashable {
    let sensor: KernelSensorName
    /// `temp1`; empty for a 1-Wire sensor, which has one only.
    let channel: String

    /// `nil` for what is written otherwise.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"),
            let sensorClass = KernelSensorClass(rawValue: String(text[..<colon]))
        else { return nil }
        let rest = text[text.index(after: colon)...]
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == (sensorClass == .w1 ? 1 : 2), parts.allSatisfy(Self.isName) else { return nil }
        sensor = KernelSensorName(sensorClass, parts[0])
        channel = sensorClass == .w1 ? "" : parts[1]
        if sensorClass == .hwmon, KernelQuantity.hwmon(channel) == nil { return nil }
    }

    /// It becomes a part of a path.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-@.,".contains($0)) }
            && !text.hasPrefix(".")
    }

    /// What it measures.
    var quantity: KernelQuantity {
        switch sensor.sensorClass {
        case .hwmon: KernelQuantity.hwmon(channel) ?? .other
        case .iio: KernelQuantity.iio(channel)
        case .w1: .temperature
        }
    }

    /// How many of Perch's units the kernel's number is.
    var factor: Double {
        switch sensor.sensorClass {
        case .hwmon: quantity.hwmonFactor
        case .iio: quantity.iioFactor
        case .w1: 0.001
        }
    }
}

/// What a sensor of the kernel measures, and in which units the kernel says it: hwmon in
/// Documentation/hwmon/sysfs-interface.rst, IIO in Documentation/ABI/testing/sysfs-bus-iio.
enum KernelQuantity: String, Sendable, CaseIterable {
    case temperature, humidity, pressure, voltage, current, power, energy, frequency, rotation, illuminance, distance
    /// As the kernel gives it.
    case other

    /// `temp1`, `in0`; `nil` for what hwmon does not have.
    static func hwmon(_ channel: String) -> KernelQuantity? {
        let kind = channel.prefix { !$0.isNumber }
        guard Int(channel.dropFirst(kind.count)) != nil else { return nil }
        switch kind {
        case "temp": return .temperature
        case "in": return .voltage
        case "curr": return .current
        case "power": return .power
        case "energy": return .energy
        case "humidity": return .humidity
        case "fan": return .rotation
        case "freq": return .frequency
        default: return nil
        }
    }

    /// `temp`, `voltage0`, `humidityrelative`.
    static func iio(_ channel: String) -> KernelQuantity {
        let kinds: [(String, KernelQuantity)] = [
            ("temp", .temperature), ("humidityrelative", .humidity), ("pressure", .pressure), ("voltage", .voltage),
            ("current", .current), ("power", .power), ("illuminance", .illuminance), ("distance", .distance),
        ]
        return kinds.first { channel.hasPrefix($0.0) }?.1 ?? .other
    }

    var hwmonFactor: Double {
        switch self {
        case .temperature, .voltage, .current, .humidity: 0.001
        case .power, .energy: 0.000_001
        default: 1
        }
    }

    var iioFactor: Double {
        switch self {
        case .temperature, .voltage, .current, .power, .humidity: 0.001
        // Kilopascals.
        case .pressure: 10
        default: 1
        }
    }

    /// How a reading calls it.
    var field: FieldDescription {
        switch self {
        case .temperature: FieldDescription(rawValue, .number, unit: .celsius, "of `temp…` and 1-Wire sensors")
        case .humidity: FieldDescription(rawValue, .number, unit: .relativeHumidity, "of `humidity…`")
        case .pressure: FieldDescription(rawValue, .number, unit: .hectopascals, "of `pressure…`")
        case .voltage: FieldDescription(rawValue, .number, unit: .volts, "of `in…` and `voltage…`")
        case .current: FieldDescription(rawValue, .number, unit: .amperes, "of `curr…`")
        case .power: FieldDescription(rawValue, .number, unit: .watts, "of `power…`")
        case .energy: FieldDescription(rawValue, .number, unit: .joules, "of `energy…`")
        case .frequency: FieldDescription(rawValue, .number, unit: .hertz, "of `freq…`")
        case .rotation: FieldDescription(rawValue, .number, "of `fan…`, turns in a minute")
        case .illuminance: FieldDescription(rawValue, .number, unit: .lux, "of `illuminance…`")
        case .distance: FieldDescription(rawValue, .number, unit: .metres, "of `distance…`")
        case .other: FieldDescription("value", .number, "of anything else, as the kernel gives it")
        }
    }
}
