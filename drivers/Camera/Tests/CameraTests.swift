import CameraDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import FoundationEssentials
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Camera")
struct CameraTests {
    @Test("A picture is an event with a PNG that was written to the payload's path")
    func capture() async throws {
        let event = try await DriverHarness.run(Camera.driver, name: "camera") { harness in
            try await harness.perform(Camera.driver, "capture")
            #expect(harness.events.isEmpty)
            try await harness.loop.sleep(for: .seconds(1))
            return harness.events.first
        }
        let payload = try #require(event?.payload)
        defer { try? FileManager.default.removeItem(atPath: payload.path) }
        #expect(event?.name == "captured")
        #expect(payload.mediaType == "image/png")
        let bytes = try #require(FileManager.default.contents(atPath: payload.path))
        #expect(bytes.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(bytes.count > 200)
    }

    @Test("Wishes during a picture are one more picture")
    func coalesced() async throws {
        try await DriverHarness.run(Camera.driver, name: "camera") { harness in
            for _ in 0..<5 { try await harness.perform(Camera.driver, "capture") }
            try await harness.loop.sleep(for: .milliseconds(100))
            for _ in 0..<5 { try await harness.perform(Camera.driver, "capture") }
            try await harness.loop.sleep(for: .seconds(5))
            #expect(harness.eventNames == ["captured", "captured"])
            if let path = harness.events.first?.payload?.path { try FileManager.default.removeItem(atPath: path) }
        }
    }
}
