internal import CMosquitto
internal import Glibc

/// A list of MQTT 5 properties for one call of libmosquitto; no list at all for MQTT 3.1.1.
struct MQTTProperties: ~Copyable {
    private(set) var list: OpaquePointer?
    private let isSupported: Bool

    init(_ version: MQTTSettings.Version) { isSupported = version == .v5 }

    deinit {
        var list = list
        mosquitto_property_free_all(&list)
    }

    /// Leaves the list to the library.
    mutating func release() { list = nil }

    // A property that cannot be added for want of memory is left out: the packet is right without it.

    mutating func add(_ property: mqtt5_property, _ value: UInt32) {
        guard isSupported else { return }
        mosquitto_property_add_int32(&list, Int32(property.rawValue), value)
    }

    mutating func add(_ property: mqtt5_property, _ value: UInt8) {
        guard isSupported else { return }
        mosquitto_property_add_byte(&list, Int32(property.rawValue), value)
    }

    mutating func add(_ property: mqtt5_property, _ value: String) {
        guard isSupported else { return }
        mosquitto_property_add_string(&list, Int32(property.rawValue), value)
    }

    mutating func add(_ name: String, _ value: String) {
        guard isSupported else { return }
        mosquitto_property_add_string_pair(&list, Int32(MQTT_PROP_USER_PROPERTY.rawValue), name, value)
    }

    /// A text of a list that came from the broker.
    static func text(_ property: mqtt5_property, in list: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(list, Int32(property.rawValue), &text, false) != nil, let text else {
            return nil
        }
        defer { free(text) }
        return String(cString: text)
    }
}
