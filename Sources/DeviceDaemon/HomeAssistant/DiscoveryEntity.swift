import DeviceRuntime
import StorageBackends

/// Something that Home Assistant shows, announced by a message that it keeps (MQTT discovery).
struct DiscoveryEntity: Sendable {
    /// `binary_sensor`
    let component: String
    /// Unique on the board: `bell-state-pressed`.
    let id: String
    /// As a person reads it, below the device's name.
    let name: String
    var settings: [String: JSONText]

    init(_ component: String, _ id: String, _ name: String, _ settings: [String: JSONText]) {
        self.component = component
        self.id = id
        self.name = name
        self.settings = settings
    }
}

extension JSONText {
    static func texts(_ texts: [String]) -> JSONText { .array(texts.map { .text($0) }) }
}
