import StorageBackends
import Testing

@Suite("Names at a broker")
struct MQTTNameTests {
    @Test(
        "A broker's address has a port, and the registered one if none is given",
        arguments: [
            ("mqtt://hub.local", "hub.local", 1883, false), ("mqtts://hub.local", "hub.local", 8883, true),
            ("mqtt://hub.local/", "hub.local", 1883, false), ("mqtts://10.0.0.2:8884", "10.0.0.2", 8884, true),
            ("mqtt://[fd00::1]:1884", "fd00::1", 1884, false), ("MQTT://Hub", "Hub", 1883, false),
        ] as [(String, String, UInt16, Bool)])
    func addresses(text: String, host: String, port: UInt16, isSecure: Bool) throws {
        let address = try #require(BrokerAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isSecure == isSecure)
        #expect(BrokerAddress(address.description) == address)
    }

    @Test(
        "What is no broker's address is refused, and so is one with a login, which messages would show",
        arguments: [
            "", "hub.local", "http://hub.local", "mqtt://", "mqtt://hub.local:0", "mqtt://hub.local:70000",
            "mqtt://user:secret@hub.local", "mqtt://user@hub.local", "mqtt://hub.local/topic", "mqtt://hub.local?a=b",
            "mqtt://hub.local#a", "mqtt://hub local", "tcp://hub.local:1883",
        ])
    func noAddresses(text: String) { #expect(BrokerAddress(text) == nil) }

    @Test(
        "A name becomes one level of a topic, whatever is in it",
        arguments: [
            ("bell", "bell"), ("a/b", "a-b"), ("a+b#", "a-b-"), ("", "-"), ("Türe 2", "Türe 2"), ("a\u{0}\nb", "a--b"),
        ])
    func levels(text: String, level: String) { #expect(MQTTTopics.level(text) == level) }

    @Test("Events have four levels, everything else three or five")
    func topics() {
        let topics = MQTTTopics(prefix: "perch", device: "porch")
        #expect(topics.availability == "perch/porch/availability")
        #expect(topics.event("bell", "pressed") == "perch/porch/bell/pressed")
        #expect(topics.payload("camera", "captured") == "perch/porch/camera/captured/payload")
    }
}
