import CaptureStore
import DeviceKit
import DeviceRuntime
import StorageBackends

private let url = Option(
    "url", OptionKind<BrokerAddress>.broker, "the broker: mqtt://broker.local, or mqtts:// for TLS")
private let login = Option(
    "login", .text, default: "", "the name of a credential that holds user:password; see docs/storage.md")
private let version = Option(
    "protocol", .choice(["5": MQTTSettings.Version.v5, "3.1.1": .v3_1_1]), default: "5",
    "the version of MQTT; 3.1.1 does not tell when the broker refuses a record")
private let clientID = Option(
    "client-id", .text, default: "", "by which the broker knows the board; otherwise perch- and the device's name")
private let keepAlive = Option(
    "keep-alive", .duration(.seconds(5)...(.seconds(65_535))), default: "60s",
    "after how long without a message the connection is tested")
private let sessionExpiry = Option(
    "session-expiry", .duration(.zero...(.seconds(365 * 86400))), default: "10min",
    "for how long commands wait at the broker while the board is away; 0s for not at all")
private let topic = Option("topic", OptionKind<String>.topic, default: "perch", "what every topic begins with")
private let expiry = Option(
    "message-expiry", .duration(.zero...(.seconds(100 * 365 * 86400))), default: "0s",
    "after how long nobody needs a record any more that the broker could not hand out; 0s is never")
private let largestFile = Option(
    "largest-file", OptionKind<Int>.bytes(0...(128 << 20)), default: "256KiB",
    "the largest file that is sent; larger ones are left to another storage")
private let subscriber = Option(
    "subscriber", .choice(["optional": false, "required": true]), default: "optional",
    "whether a record that nobody has subscribed to waits in the outbox")
private let discovery = Option(
    "discovery", OptionKind<String>.topic, default: "homeassistant",
    "where Home Assistant looks for devices; none for no announcement")
private let commands = Option(
    "commands", .choice(["yes": true, "no": false]), default: "yes", "whether the devices take commands from the broker"
)

let mqttStorage = StorageKind(
    BackendDescription(
        name: "mqtt", summary: "an MQTT broker, such as mosquitto; every device appears in Home Assistant by itself",
        options: [
            url.description, login.description, version.description, clientID.description, keepAlive.description,
            sessionExpiry.description, topic.description, expiry.description, largestFile.description,
            subscriber.description, discovery.description, commands.description,
        ] + ConnectionOptions.directDescriptions)
) { storage, context in
    let options = storage.options
    let prefix = try options[topic]
    let companion = HomeAssistantBridge(
        device: context.device, topics: MQTTTopics(prefix: prefix, device: context.device),
        discoveryPrefix: try options[discovery] == "none" ? nil : options[discovery],
        acceptsCommands: try options[commands], directory: context.devices, clock: context.loop,
        logger: context.logger)
    let expiry = try options[expiry]
    return try MQTTBackend(
        name: storage.name, device: context.device, settings: try settings(storage, device: context.device),
        options: MQTTBackend.Options(
            prefix: prefix, expiry: expiry > .zero ? expiry : nil, largestFile: try options[largestFile],
            needsListener: try options[subscriber]),
        companion: companion, loop: context.loop, logger: context.logger)
}

private func settings(_ storage: StorageConfiguration, device: String) throws -> MQTTSettings {
    let options = storage.options
    let id = try options[clientID]
    return MQTTSettings(
        broker: try options[url], clientID: id.isEmpty ? "perch-\(device)" : id, version: try options[version],
        login: try LoginOptions.login(options[login]), connection: try ConnectionOptions.settings(options),
        keepAlive: try options[keepAlive], sessionExpiry: try options[sessionExpiry])
}

extension OptionKind<BrokerAddress> {
    static var broker: OptionKind {
        OptionKind("the address of a broker without a login, such as mqtt://broker.local or mqtts://broker.local:8883")
        {
            guard case .scalar(let text) = $0 else { return nil }
            return BrokerAddress(text)
        }
    }
}

extension OptionKind<String> {
    /// One or more levels of a topic.
    static var topic: OptionKind {
        OptionKind("levels of a topic, such as perch or home/sensors") { input in
            guard case .scalar(let text) = input else { return nil }
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            return levels.allSatisfy { !$0.isEmpty && MQTTTopics.level(String($0)) == $0 } ? text : nil
        }
    }
}

extension OptionKind<Int> {
    /// An amount of memory, with its unit.
    static func bytes(_ range: ClosedRange<Int>) -> OptionKind {
        OptionKind("a size up to \(range.upperBound >> 20)MiB, such as 256KiB") { input in
            guard case .scalar(let text) = input else { return nil }
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let units = ["B": 1, "KiB": 1 << 10, "MiB": 1 << 20]
            guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
            let (size, overflow) = number.multipliedReportingOverflow(by: unit)
            return !overflow && range.contains(size) ? size : nil
        }
    }
}
