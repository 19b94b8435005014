/// What the kernel's file `w1_slave` says of a DS18B20 and its relatives (Documentation/w1/slaves/w1_therm.rst): two
/// lines with the sensor's nine bytes, in the first whether their check byte is right, in the second the temperature.
///
///     50 05 4b 46 7f ff 0c 10 1c : crc=1c YES
///     50 05 4b 46 7f ff 0c 10 1c t=85000
enum W1Text {
    enum Reading: Equatable {
        case millicelsius(Int)
        /// What arrived is damaged, or the wire is cut or short.
        case damaged
    }

    static func read(_ text: String) -> Reading {
        let lines = text.split(separator: "\n")
        guard lines.count == 2, lines[0].hasSuffix("YES"), let sign = lines[1].lastIndex(of: "="),
            let number = Int(lines[1][lines[1].index(after: sign)...])
        else { return .damaged }
        // A wire that is short to ground reads zeros, whose check byte is right: zero.
        let bytes = lines[0].prefix { $0 != ":" }
        guard bytes.contains(where: { $0 != "0" && $0 != " " }) else { return .damaged }
        return .millicelsius(number)
    }
}

/// Tells the temperature that a DS18B20 has after power-on, 85 °C, from a true one (Maxim DS18B20 datasheet 19-7487,
/// page 6).
///
/// A sensor that loses its power while it measures, as with a weak parasitic supply, answers with that number and a
/// right check byte. It is believed only if the temperature before was near.
struct PowerUpFilter {
    static let powerUpValue = 85_000.0
    /// How far from it the temperature before may be, in millidegrees.
    private static let nearness = 10_000.0
    private var last: Double?

    /// Whether a temperature can be believed, in millidegrees.
    mutating func isTrue(_ millicelsius: Double) -> Bool {
        if millicelsius == Self.powerUpValue {
            guard let last, abs(last - millicelsius) <= Self.nearness else { return false }
        }
        last = millicelsius
        return true
    }
}
