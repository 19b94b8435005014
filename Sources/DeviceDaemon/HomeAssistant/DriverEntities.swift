import DeviceKit
import DeviceRuntime
import StorageBackends

/// What of a device Home Assistant shows, by its driver's tables and its options.
struct DriverEntities {
    let device: DeviceConfiguration
    let topics: MQTTTopics
    let acceptsCommands: Bool

    private var driver: Driver { device.driver }
    private var part: String { device.name }

    var all: [DiscoveryEntity] {
        states + fields + [event].compactMap { $0 } + pictures + (acceptsCommands ? commands : [])
    }

    // MARK: States

    private var states: [DiscoveryEntity] {
        driver.states.filter { isPossible($0.need) && $0.name != switchedState }.map { state in
            var settings: [String: JSONText] = [
                "state_topic": .text(topics.state(part, state.name)), "payload_on": .text("on"),
                "payload_off": .text("off"),
            ]
            if let kind = Self.stateClasses[state.name] { settings["device_class"] = .text(kind) }
            return DiscoveryEntity("binary_sensor", "\(part)-state-\(state.name)", title(state.name), settings)
        }
    }

    /// Home Assistant's words for some states. The others are plain ones.
    private static let stateClasses = [
        "motion": "motion", "occupied": "occupancy", "moving": "moving", "doubtful": "problem", "faulty": "problem",
        "stuck": "problem",
    ]

    private func isPossible(_ need: Need?) -> Bool { device.allows(need) }

    // MARK: Readings

    private var fields: [DiscoveryEntity] {
        var seen: Set<String> = []
        return possibleEvents.flatMap(\.fields).filter { seen.insert($0.name).inserted }.map(entity)
    }

    private var possibleEvents: [EventDescription] { driver.events.filter { isPossible($0.need) } }

    private func entity(_ field: FieldDescription) -> DiscoveryEntity {
        var settings: [String: JSONText] = ["state_topic": .text(topics.reading(part, field.name))]
        var component = "sensor"
        switch field.kind {
        case .flag:
            component = "binary_sensor"
            settings["payload_on"] = .text("true")
            settings["payload_off"] = .text("false")
        case .integer, .number:
            settings["state_class"] = .text("measurement")
            if let unit = field.unit { addUnit(unit, to: &settings) }
        // What is longer than this, a sensor cannot hold.
        case .text: settings["value_template"] = .text("{{ value[:255] }}")
        }
        // What is not measured explains an event more than it is worth a line of its own.
        if field.unit == nil || field.unit == .seconds { settings["enabled_by_default"] = .flag(false) }
        return DiscoveryEntity(component, "\(part)-reading-\(field.name)", title(field.name), settings)
    }

    private func addUnit(_ unit: MeasurementUnit, to settings: inout [String: JSONText]) {
        let kind: String? =
            switch unit {
            case .celsius: "temperature"
            case .relativeHumidity: "humidity"
            case .hectopascals: "atmospheric_pressure"
            case .volts: "voltage"
            case .amperes: "current"
            case .watts: "power"
            case .hertz: "frequency"
            case .seconds: "duration"
            case .metres: "distance"
            case .metresPerSecond: "speed"
            case .lux: "illuminance"
            case .joules, .degrees, .option: nil
            }
        if let kind { settings["device_class"] = .text(kind) }
        var symbol = unit.symbol
        if case .option(let name) = unit { symbol = device.texts.first { $0.name == name }?.text }
        if let symbol, !symbol.isEmpty { settings["unit_of_measurement"] = .text(symbol) }
    }

    // MARK: Events

    /// Events that come by the clock are readings, and nothing that happens.
    private static let regularEvents: Set<String> = ["reading", "position"]

    private var event: DiscoveryEntity? {
        let names = possibleEvents.map(\.name).filter { !Self.regularEvents.contains($0) }
        guard !names.isEmpty else { return nil }
        var settings: [String: JSONText] = [
            // The records themselves, so nothing is lost while the board or the broker is away.
            "state_topic": .text(topics.events(of: part)), "event_types": .texts(names),
            "value_template": .text(Self.eventTemplate(names)),
        ]
        if let kind = Self.eventClasses[driver.name] { settings["device_class"] = .text(kind) }
        return DiscoveryEntity("event", "\(part)-event", "Event", settings)
    }

    private static let eventClasses = ["button": "button", "chord": "button", "motion-sensor": "motion"]

    /// How old an event may be that is still news. What was kept in the outbox for longer is stored, but rings nothing.
    static let newsAge = Duration.seconds(300)

    /// Makes of a record what Home Assistant takes for an event; of one that is old, nothing.
    private static func eventTemplate(_ names: [String]) -> String {
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        return "{% if value_json.event in [\(list)] and (as_timestamp(now()) - as_timestamp(value_json.time)) | abs < "
            + "\(newsAge.components.seconds) %}{{ dict(value_json.fields, event_type=value_json.event, "
            + "record=value_json.id, time=value_json.time) | tojson }}{% endif %}"
    }

    private var pictures: [DiscoveryEntity] {
        possibleEvents.filter(\.hasPicture).map { event in
            DiscoveryEntity(
                "image", "\(part)-picture-\(event.name)", "Picture",
                ["image_topic": .text(topics.payload(part, event.name)), "content_type": .text("image/jpeg")])
        }
    }

    // MARK: Commands

    private var commands: [DiscoveryEntity] {
        let pair = switchEntity
        let rest = driver.commands.filter { pair == nil || !["on", "off", "toggle"].contains($0.name) }
        return [pair].compactMap { $0 } + rest.compactMap(entity)
    }

    /// The state that commands named `on` and `off` switch.
    private var switchedState: String? {
        guard acceptsCommands else { return nil }
        let names = driver.commands.filter { !$0.arguments.contains(where: \.isRequired) }.map(\.name)
        guard names.contains("on"), names.contains("off") else { return nil }
        return ["on", "lit"].first { name in driver.states.contains { $0.name == name } }
    }

    private var switchEntity: DiscoveryEntity? {
        guard let state = switchedState else { return nil }
        return DiscoveryEntity(
            driver.name == "led" ? "light" : "switch", "\(part)-switch", title(part),
            [
                "command_topic": .text(topics.command(part, "switch")), "payload_on": .text("on"),
                "payload_off": .text("off"), "state_topic": .text(topics.state(part, state)),
            ])
    }

    /// A button, or a way to choose the one value that must be given; `nil` for a command that needs more.
    private func entity(_ command: CommandDescription) -> DiscoveryEntity? {
        var settings: [String: JSONText] = ["command_topic": .text(topics.command(part, command.name))]
        let id = "\(part)-command-\(command.name)"
        let required = command.arguments.filter(\.isRequired)
        guard let value = required.first else {
            settings["payload_press"] = .text("")
            return DiscoveryEntity("button", id, title(command.name), settings)
        }
        guard required.count == 1, value.name == command.arguments.first?.name, let form = value.form else {
            return nil
        }
        let component: String
        switch form {
        case .text: component = "text"
        case .choice(let words):
            component = "select"
            settings["options"] = .texts(words)
        case .number(let range, let unit, let isWhole):
            guard range.lowerBound < range.upperBound else { return nil }
            component = "number"
            settings["min"] = .number(range.lowerBound)
            settings["max"] = .number(range.upperBound)
            settings["step"] = isWhole ? .integer(1) : .number(0.1)
            settings["command_template"] = .text(isWhole ? "{{ value | int }}" : "{{ value }}\(unit)")
            if !unit.isEmpty { settings["unit_of_measurement"] = .text(unit == "deg" ? "°" : unit) }
        }
        return DiscoveryEntity(component, id, title(command.name), settings)
    }

    /// `switched-on` → `Switched on`
    private func title(_ name: String) -> String {
        let words = name.map { "-_".contains($0) ? " " : $0 }
        return String(words).prefix(1).uppercased() + String(words).dropFirst()
    }
}
