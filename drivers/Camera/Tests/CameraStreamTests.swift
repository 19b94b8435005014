import CameraDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Camera, with the moments before")
struct CameraStreamTests {
    @Test("A capture stores the last pictures, in their order, and the next one as the picture of the moment")
    func before() async throws {
        let options: [String: OptionInput] = ["before": .scalar("3"), "rate": .scalar("2")]
        try await DriverHarness.run(Camera.driver, name: "camera", options) { harness in
            try await harness.loop.sleep(until: .milliseconds(10_200))
            #expect(harness.events.isEmpty)
            try await harness.perform(Camera.driver, "capture")
            try await harness.loop.sleep(for: .seconds(2))
            #expect(harness.eventNames == ["captured-before", "captured-before", "captured-before", "captured"])
            #expect(harness.events.map(\.timestamp) == [9, 9.5, 10, 10.5].map { .seconds($0) })
            #expect(
                harness.events.map { $0.fields.dropFirst() } == [
                    [.init("seconds", .number(1.5))], [.init("seconds", .number(1))], [.init("seconds", .number(0.5))],
                    [],
                ])
            for event in harness.events {
                #expect(event.payload?.mediaType == "image/png")
            }
            if let path = harness.events.last?.payload?.path {
                #expect(try Files.read(path).prefix(4) == [0x89, 0x50, 0x4E, 0x47])
                try Files.remove(path)
            }
        }
    }

    @Test("Each picture is stored once, also when captures follow each other closely")
    func once() async throws {
        let options: [String: OptionInput] = ["before": .scalar("4"), "rate": .scalar("2")]
        try await DriverHarness.run(Camera.driver, name: "camera", options) { harness in
            try await harness.loop.sleep(until: .seconds(10))
            for _ in 0..<3 {
                try await harness.perform(Camera.driver, "capture")
                try await harness.loop.sleep(for: .milliseconds(1200))
            }
            let times = harness.events.map(\.timestamp)
            #expect(Set(times).count == times.count)
            #expect(times == times.sorted())
            #expect(harness.eventNames.filter { $0 == "captured" }.count == 3)
            if let path = harness.events.last?.payload?.path { try Files.remove(path) }
        }
    }
}
