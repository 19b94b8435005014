import BoardScripts
import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import Testing

/// Reads a part every second and tells what it read; tries again with the next second when that fails.
private actor Probe: Device {
    static let driver = Driver(
        name: "probe", summary: "", options: [],
        events: [EventDescription("read", "", fields: [FieldDescription("value", .integer, "")])], claims: { _ in [] },
        makeDevice: { _, context in Probe(context) })

    private let context: DeviceContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ context: DeviceContext) { self.context = context }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        guard let address = I2CAddress(0x48) else { return }
        let part = try await context.board.makeI2CDevice(bus: "I2C1", address: address, consumer: context.name)
        defer { part.close() }
        ready()
        while true {
            if let value = try? await part.readRegister(0x10) {
                context.emit("read", [.init("value", .integer(Int(value)))])
            }
            try await context.clock.sleep(for: .seconds(1))
        }
    }

    func perform(_ command: Command) async throws {}
}

@Suite("A driver's test with a script")
struct HarnessTests {
    private static let script = """
        I2C1 0x48: write 10, read 1 -> 07
        part: tells read value=7
        perch: pause 1s
        I2C1 0x48: write 10, read 1 -> ! noAcknowledge
        perch: pause 1s
        I2C1 0x48: write 10, read 1 -> 09
        """

    private static func run(_ script: String, for time: Duration = .milliseconds(2500)) async throws -> [String] {
        try await DriverHarness.run(Probe.driver, script: script) { harness in
            try await harness.loop.sleep(for: time)
            return harness.events.map { "\($0.timestamp) \($0.fields.map { "\($0.value)" })" }
        }
    }

    @Test("A driver that follows passes, and its events are its own, or those that the script says")
    func follows() async throws {
        let events = try await Self.run(Self.script.replacing("part: tells read value=7\n", with: ""))
        #expect(events == ["0.0 seconds [\"7\"]", "2.0 seconds [\"9\"]"])
        let all = Self.script + "\npart: tells read value=9"
        #expect(try await Self.run(all).count == 2)
    }

    @Test(
        "One that does not is told where, also when it swallows the error",
        arguments: [
            ("read 1 -> 07", "read 2 -> 07 08", "- I2C1 0x48: write 10, read 2", 2500),
            ("value=7", "value=8", "tells read value=8", 2500),
            ("pause 1s", "pause 1100ms", "before its turn", 2500),
            ("-> 09", "-> 09", "what line 6 says was not", 1500),
            ("-> 09", "-> 09", "more was done than the script says", 2500),
        ])
    func differs(old: String, new: String, said: String, milliseconds: Int) async throws {
        await #expect {
            _ = try await Self.run(Self.script.replacing(old, with: new), for: .milliseconds(milliseconds))
        } throws: { error in
            error is ScriptDifference && "\(error)".contains(said)
        }
    }

    @Test("A script that is none is an error of its own")
    func syntax() async throws {
        await #expect(throws: ScriptSyntaxError.self) { _ = try await Self.run("I2C1 0x48 write 10") }
    }
}
