import DeviceDaemon
import DeviceKit
import DeviceRuntime
import DriverTesting
import TMP102Model
import Testing

@testable import TMP102Driver

@Suite("TMP102")
struct TMP102Tests {
    @Test(
        "A number becomes a temperature by the datasheet's table",
        arguments: [(0x7FF0, 127.9375), (0x1900, 25), (0x0040, 0.25), (0x0000, 0), (0xFFC0, -0.25), (0xC900, -55)])
    func conversion(word: UInt16, celsius: Double) { #expect(TMP102.celsius(word) == celsius) }

    @Test("It sleeps, and when it is read it measures once and is given its time")
    func traffic() async throws {
        let script = """
            I2C1 0x48: write 01 61 a0
            I2C1 0x48: write 01 e1 a0
            perch: pause 35ms
            I2C1 0x48: write 00, read 2 -> 19 40
            part: tells reading temperature=25.25
            """
        try await DriverHarness.run(TMP102.driver, script: script) { try await $0.loop.sleep(for: .seconds(1)) }
    }

    @Test("It tells what is around it, each minute and when somebody asks")
    func readings() async throws {
        let colder = Command(name: "temperature", arguments: OptionValues().setting(TMP102Part.celsius, -3.5))
        let connect = TMP102Part.model.connect(to:_:)
        let values = try await DriverHarness.run(TMP102.driver, connecting: connect) { harness, part in
            try await harness.loop.sleep(for: .seconds(90))
            try part.apply(colder)
            try await harness.perform(TMP102.driver, "read")
            try await harness.loop.sleep(for: .seconds(1))
            return harness.events.map { "\($0.fields[0].value)" }
        }
        #expect(values == ["21.0", "21.0", "-3.5"])
    }
}
