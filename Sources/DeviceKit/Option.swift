/// What a configuration gives for an option, before anybody knows what it means.
public enum OptionInput: Sendable, Hashable {
    case scalar(String)
    case list([String])

    /// One text or several.
    public var texts: [String] {
        switch self {
        case .scalar(let text): [text]
        case .list(let texts): texts
        }
    }
}

/// One entry of a driver's table of options, or of a command's table of arguments, with the type of its value.
///
///     static let warmUp = Option("warm-up", .duration(.zero ... .seconds(600)), default: "60s", "…")
///
/// The same entry validates a configuration, documents the option and reads its value, so these cannot differ.
public struct Option<Value: Sendable>: Sendable {
    public let name: String
    public let summary: String
    public let kind: OptionKind<Value>
    /// As a person would write it; `nil` for an option that must be given.
    public let defaultText: String?

    public init(_ name: String, _ kind: OptionKind<Value>, default defaultText: String? = nil, _ summary: String) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.summary = summary
    }

    /// The entry without its type, for tables.
    public var description: OptionDescription {
        OptionDescription(
            name: name, summary: summary, expectation: kind.expectation, defaultText: defaultText,
            peripheral: kind.peripheral, driver: kind.driver, absence: kind.absence, form: kind.form,
            parse: { input in kind.parse(input).map { $0 as any Sendable } })
    }
}

/// What an option may name of a board. The text completes "the board has no …".
public enum PeripheralKind: String, Sendable, Hashable, CaseIterable {
    case line = "digital line"
    case pwmChannel = "PWM channel"
    case i2cBus = "I2C bus"
    case spiTarget = "SPI target"
    case serialPort = "serial port"
}

/// What values an option takes.
public struct OptionKind<Value: Sendable>: Sendable {
    /// Completes "expected …": `a duration from 0s to 10min, such as 60s`.
    public let expectation: String
    /// What of the board the value names, if it names something.
    public let peripheral: PeripheralKind?
    /// The driver of the devices that the value names, if it names devices of the configuration.
    public let driver: String?
    /// The word that stands for no value, if there may be none.
    public let absence: String?
    /// `nil` for what only its text can say.
    public let form: OptionForm?
    public let parse: @Sendable (OptionInput) -> Value?

    public init(
        _ expectation: String, peripheral: PeripheralKind? = nil, driver: String? = nil, absence: String? = nil,
        form: OptionForm? = nil, parse: @escaping @Sendable (OptionInput) -> Value?
    ) {
        self.expectation = expectation
        self.peripheral = peripheral
        self.driver = driver
        self.absence = absence
        self.form = form
        self.parse = parse
    }
}

/// An option whose type is erased: what the configuration and the documentation work with.
public struct OptionDescription: Sendable {
    public let name: String
    public let summary: String
    public let expectation: String
    public let defaultText: String?
    /// What of the board the value names, if it names something.
    public let peripheral: PeripheralKind?
    /// The driver of the devices that the value names, if it names devices of the configuration.
    public let driver: String?
    /// The word that stands for no value, if there may be none.
    public let absence: String?
    /// `nil` for what only its text can say.
    public let form: OptionForm?
    public let parse: @Sendable (OptionInput) -> (any Sendable)?

    public var isRequired: Bool { defaultText == nil }
}

/// The validated values of a device's options or of a command's arguments.
public struct OptionValues: Sendable {
    private var values: [String: any Sendable]

    public init(_ values: [String: any Sendable] = [:]) { self.values = values }

    /// Sets a value by code, as a configuration would.
    public func setting<Value>(_ option: Option<Value>, _ value: Value) -> OptionValues {
        var copy = self
        copy.values[option.name] = value
        return copy
    }

    /// The value, or the option's default. Throws ``MissingOption`` for a required option that is absent and for
    /// a value of another type, neither of which a validated configuration has.
    public subscript<Value>(option: Option<Value>) -> Value {
        get throws {
            if let value = values[option.name] {
                guard let value = value as? Value else { throw MissingOption(name: option.name) }
                return value
            }
            if let text = option.defaultText, let value = option.kind.parse(.scalar(text)) { return value }
            throw MissingOption(name: option.name)
        }
    }
}

public struct MissingOption: Error, CustomStringConvertible {
    public let name: String
    public var description: String { "option '\(name)' is missing" }
}
