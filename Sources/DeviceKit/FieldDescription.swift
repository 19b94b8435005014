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
    public var symbol: String? {
        switch self {
        case .celsius: "°C"
        case .relativeHumidity: "%"
        case .hectopascals: "hPa"
        case .volts: "V"
        case .amperes: "A"
        case .watts: "W"
        case .joules: "J"
        case .hertz: "Hz"
        case .seconds: "s"
        case .metres: "m"
        case .metresPerSecond: "m/s"
        case .degrees: "°"
        case .lux: "lx"
        case .option: nil
        }
    }
}
