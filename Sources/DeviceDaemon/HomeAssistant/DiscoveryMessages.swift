import DeviceKit
import DeviceRuntime
import StorageBackends

/// The messages by which Home Assistant learns what there is: one for each entity, kept by the broker.
struct DiscoveryMessages: Sendable {
    /// What every message's topic begins with: `homeassistant`.
    let prefix: String
    /// The board's name.
    let device: String
    let topics: MQTTTopics
    let acceptsCommands: Bool

    /// The board among other boards: `perch-porch`.
    private var node: String { "perch-\(device)" }

    /// Where Home Assistant tells that it has come: `online`.
    var birthTopic: String { "\(prefix)/status" }

    /// All messages of this board, also of parts that it has no more.
    var ownTopics: String { "\(prefix)/+/\(node)/+/config" }

    func isOwn(_ topic: String) -> Bool {
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        return topic.hasPrefix(prefix + "/") && levels.count == 4 && levels[1] == node && levels[3] == "config"
    }

    func messages(for devices: [DeviceConfiguration]) -> [MQTTMessage] {
        [message(board, availability: [], owner: boardDescription)]
            + devices.flatMap { device in
                DriverEntities(device: device, topics: topics, acceptsCommands: acceptsCommands).all.map { entity in
                    message(
                        entity, availability: [topics.availability, topics.health(device.name)],
                        owner: description(of: device))
                }
            }
    }

    private var board: DiscoveryEntity {
        DiscoveryEntity(
            "binary_sensor", "connected", "Connected",
            [
                "state_topic": .text(topics.availability), "payload_on": .text("online"),
                "payload_off": .text("offline"), "device_class": .text("connectivity"),
                "entity_category": .text("diagnostic"),
            ])
    }

    private var boardDescription: [String: JSONText] {
        ["identifiers": .texts([node]), "name": .text(device), "manufacturer": .text("Perch"), "model": .text("board")]
    }

    private func description(of part: DeviceConfiguration) -> [String: JSONText] {
        [
            "identifiers": .texts(["\(node)-\(part.name)"]), "name": .text("\(device) \(part.name)"),
            "manufacturer": .text("Perch"), "model": .text(part.driver.summary), "via_device": .text(node),
        ]
    }

    private func message(
        _ entity: DiscoveryEntity, availability: [String], owner: [String: JSONText]
    ) -> MQTTMessage {
        var settings = entity.settings
        settings["name"] = .text(entity.name)
        settings["unique_id"] = .text("\(node)-\(entity.id)")
        settings["device"] = .object(owner)
        settings["origin"] = .object(["name": .text("Perch")])
        settings["qos"] = .integer(1)
        if !availability.isEmpty {
            settings["availability"] = .array(availability.map { .object(["topic": .text($0)]) })
            settings["availability_mode"] = .text("all")
        }
        let topic = "\(prefix)/\(entity.component)/\(node)/\(entity.id)/config"
        return MQTTMessage(topic, JSONText.object(settings).description, isRetained: true)
    }
}
