import DeviceKit
import DeviceRuntime
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

@Suite("Faults as data")
struct FaultReadingTests {
    static func configuration() throws -> Configuration {
        try Configuration.read(
            ScenarioSample.configuration.utf8, file: "perch.yaml", drivers: standardDrivers,
            backends: standardStorage.map(\.description), boards: Configuration.boards)
    }

    @Test(
        "A fault is read as it is written on a command line",
        arguments: [
            ("unplug: sign", "unplug sign", ["I2C1 0x70"], Duration.zero),
            ("unplug: sign, at: 10s, for: 30s", "unplug sign, for 30s", ["I2C1 0x70"], .seconds(10)),
            ("{ at: 1min, unplug: GPIO27 }", "unplug GPIO27", ["GPIO27"], .seconds(60)),
            ("nack: I2C1 0x70, nth: 3", "nack \"I2C1 0x70\", nth 3", ["I2C1 0x70"], .zero),
            ("hold-bus: sign", "hold-bus sign", ["I2C1"], .zero),
            ("step-clock: -1h", "step-clock -1h", [], .zero),
            ("storage: photos, answer: 503", "storage photos, answer 503", [], .zero),
        ] as [(String, String, [String], Duration)])
    func reading(text: String, description: String, wires: [String], start: Duration) throws {
        let fault = try Fault.read(text, for: try Self.configuration())
        #expect(fault.description == description)
        #expect(fault.wires.map(\.description) == wires)
        #expect(fault.start == start)
    }

    @Test(
        "What is wrong with one is told with its column",
        arguments: [
            ("", "--fault:1:1: a fault is missing, such as 'unplug: sign'; there are nack"),
            ("unplug: sgin", "--fault:1:9: unknown part or wire 'sgin'; did you mean 'sign'?"),
            ("unplug: sign, fro: 3s", "--fault:1:15: unknown option 'fro' of fault unplug; did you mean 'for'?"),
            (
                "unplug: [sign]",
                "--fault:1:9: part: expected a device with wires, such as sign, or a wire, such as GPIO17; found [sign]"
            ),
            ("nack: GPIO27", "--fault:1:7: 'GPIO27' is not what nack concerns: it takes a I2C address"),
            ("at: 10s", "--fault:1:1: a fault is missing, such as 'unplug: sign'"),
            ("disk: fulll, at: soon", "--fault:1:7: what: expected one of full, read-only; found 'fulll'"),
            ("step-clock: 1h", "--fault:1:13: by: expected a duration with a sign, such as +1h or -90s; found '1h'"),
            ("unplug: { sign", "--fault:1:"),
        ])
    func messages(text: String, message: String) throws {
        let configuration = try Self.configuration()
        let error = thrown(ConfigurationError.self) {
            try Fault.read(text, source: "--fault", for: configuration)
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "no error")")
    }

    @Test("Where only the board is simulated, faults of what is around it say so")
    func realSurroundings() throws {
        let configuration = try Self.configuration()
        let loop = try EventLoop(time: .virtual)
        try loop.run {
            let world = try SimulatedWorld(configuration, on: .init(loop: loop))
            let fault = try Fault.read("disk: full", for: configuration)
            let error = thrown(FaultError.self) { try world.begin(fault) }
            #expect(error?.description.contains("only the board is simulated") == true)
        }
    }
}
