/// An entry of an event's table of fields: what the value is, and what it is measured in.
///
/// The one source for the documentation, for messages that announce a device's readings, and for whoever draws them.
public struct FieldDescription: Sendable, Hashable {
    /// As in the event: `temperature`.
    public let name: String
    public let kind: Value.Kind
    /// Of a number; `nil` for one that only counts or compares.
    public let unit: MeasurementUnit?
    public let summary: String

    public init(_ name: String, _ kind: Value.Kind, unit: MeasurementUnit? = nil, _ summary: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.summary = summary
    }
}

/// What a number is measured in. Perch has one unit for each quantity, so the unit tells the quantity too.
public enum MeasurementUnit: Sendable, Hashable {
    /// A temperature.
    case celsius
    /// Percent of what the air can hold at its temperature.
    case relativeHumidity
    /// A pressure of gas; one hectopascal is a millibar.
    case hectopascals
    case volts
    case amperes
    case watts
    case joules
    case hertz
    /// A length of time.
    case seconds
    /// A length or a height.
    case metres
    case metresPerSecond
    /// An angle, a geographical latitude or longitude included.
    case degrees
    /// Brightness of light on a surface.
    case lux
    /// What the device's option of this name says, in a person's own words.
    case option(String)

    /// As it is written behind a number; `nil` where an option says it.
    public var symbol: String? { words?.spellings.first?.symbol }

    /// What it is a unit of, with an article; and how people write it, and how many of the unit that is. The first
    /// spelling is Perch's.
    var words: (noun: String, spellings: [(symbol: String, factor: Double)])? {
        switch self {
        case .celsius: ("a temperature", [("°C", 1), ("C", 1), ("degC", 1)])
        case .relativeHumidity: ("a relative humidity", [("%", 1)])
        case .hectopascals: ("a pressure", [("hPa", 1), ("mbar", 1), ("Pa", 0.01), ("kPa", 10)])
        case .volts: ("a voltage", [("V", 1), ("mV", 0.001)])
        case .amperes: ("a current", [("A", 1), ("mA", 0.001)])
        case .watts: ("a power", [("W", 1), ("mW", 0.001), ("kW", 1000)])
        case .joules: ("an energy", [("J", 1), ("kJ", 1000), ("Wh", 3600)])
        case .hertz: ("a frequency", [("Hz", 1), ("kHz", 1000)])
        case .seconds: ("a time", [("s", 1), ("ms", 0.001)])
        case .metres: ("a length", [("m", 1), ("cm", 0.01), ("mm", 0.001), ("km", 1000)])
        case .metresPerSecond: ("a speed", [("m/s", 1), ("km/h", 1 / 3.6)])
        case .degrees: ("an angle", [("°", 1), ("deg", 1)])
        case .lux: ("an illuminance", [("lx", 1), ("lux", 1)])
        case .option: nil
        }
    }
}
