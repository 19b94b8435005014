import DeviceKit
import DeviceRuntime
import DriverTesting
import GPSDriver
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("GPS")
struct GPSTests {
    /// Runs the driver with a receiver on SERIAL0.
    static func withReceiver<Value: Sendable>(
        _ options: [String: String] = [:],
        _ body: @escaping @Sendable (DriverHarness, GPSModel) async throws -> Value
    ) async throws -> Value {
        try await DriverHarness.run(GPS.driver, options.mapValues { .scalar($0) }) { harness in
            let receiver = GPSModel(on: try harness.board.serialPort("SERIAL0"), loop: harness.loop)
            return try await body(harness, receiver)
        }
    }

    static func number(_ name: String, of event: Event?) -> Double? {
        for field in event?.fields ?? [] where field.name == name {
            if case .number(let number) = field.value { return number }
        }
        return nil
    }

    @Test("Where it is, is told with all that the receiver knows")
    func position() async throws {
        try await Self.withReceiver { harness, receiver in
            receiver.situation.latitude = -33.8568
            receiver.situation.longitude = -70.1234567
            receiver.situation.speed = 10
            receiver.situation.course = 271.5
            try await harness.loop.sleep(for: .seconds(3))
            #expect(harness.eventNames == ["fixed", "position"])
            #expect(harness.state("fix") == true)
            let event = harness.events.last
            #expect(Self.number("latitude", of: event) == -33.8568)
            #expect(Self.number("longitude", of: event) == -70.1234567)
            #expect(Self.number("altitude", of: event) == 34)
            #expect(Self.number("speed", of: event) == 10)
            #expect(Self.number("course", of: event) == 271.5)
            #expect(event?.fields.last == .init("time", .text("2026-01-01T00:00:01.000Z")))
        }
    }

    @Test("It is told every so often, and with a distance only if it moved that far, or after long silence")
    func filter() async throws {
        try await Self.withReceiver(["every": "10s"]) { harness, _ in
            try await harness.loop.sleep(until: .milliseconds(61_500))
            #expect(harness.eventNames.dropFirst().count == 7)
        }
        try await Self.withReceiver(["every": "10s", "distance": "100m", "at-least-every": "10min"]) {
            harness, receiver in
            // 11 m every ten seconds to the north.
            for _ in 0..<60 {
                try await harness.loop.sleep(for: .seconds(10))
                receiver.situation.latitude += 0.0001
            }
            let moved = harness.events.count
            #expect((6...8).contains(moved))
            try await harness.loop.sleep(for: .seconds(1800))
            #expect((3...4).contains(harness.events.count - moved))
            try await harness.perform(GPS.driver, "read")
            try await harness.loop.sleep(for: .seconds(2))
            #expect((4...5).contains(harness.events.count - moved))
        }
    }

    @Test("Not knowing is told once, after some patience, and so is knowing again")
    func noFix() async throws {
        try await Self.withReceiver(["patience": "2min", "every": "1h"]) { harness, receiver in
            receiver.situation.hasFix = false
            receiver.situation.satellites = 3
            try await harness.loop.sleep(until: .seconds(600))
            #expect(harness.eventNames == ["no-fix"])
            #expect(harness.events.last?.timestamp == .seconds(120))
            #expect(harness.events.last?.fields == [.init("satellites", .integer(3))])
            #expect(harness.state("fix") == false)
            receiver.situation.hasFix = true
            try await harness.loop.sleep(until: .seconds(700))
            #expect(harness.eventNames == ["no-fix", "fixed", "position"])
            receiver.situation.hasFix = false
            try await harness.loop.sleep(until: .seconds(750))
            #expect(harness.state("fix") == false)
            #expect(harness.events.count == 3)
            receiver.situation.hasFix = true
            try await harness.loop.sleep(until: .seconds(800))
            receiver.situation.hasFix = false
            try await harness.loop.sleep(until: .seconds(2000))
            #expect(harness.eventNames == ["no-fix", "fixed", "position", "fixed", "no-fix"])
        }
    }

    @Test("Sentences that are damaged are counted and told in sum, and nothing in them is believed")
    func damaged() async throws {
        try await Self.withReceiver(["every": "0s"]) { harness, receiver in
            try await harness.loop.sleep(until: .milliseconds(5500))
            receiver.damageSentences(400)
            try await harness.loop.sleep(until: .milliseconds(105_500))
            let told = harness.events.filter { $0.name == "damaged" }
            let counts = told.map(\.fields).map(\.description)
            #expect(counts.count == 2)
            #expect(counts.first?.contains("value: 1)") == true)
            #expect(harness.state("fix") == false)
            receiver.damageSentences(0)
            try await harness.loop.sleep(until: .milliseconds(200_500))
            let sum = harness.events.reduce(into: 0) { sum, event in
                if event.name == "damaged", case .integer(let lines)? = event.fields.first?.value { sum += lines }
            }
            #expect(sum == 400)
            #expect(harness.state("fix") == true)
        }
    }

    @Test("Silence is told once, with what may be wrong", arguments: [false, true])
    func silence(isNoise: Bool) async throws {
        try await DriverHarness.run(GPS.driver, ["patience": .scalar("1d")]) { harness in
            let port = try harness.board.serialPort("SERIAL0")
            for _ in 0..<60 {
                try await harness.loop.sleep(for: .seconds(1))
                if isNoise { port.send([UInt8](repeating: 0xA5, count: 70) + [0x0A]) }
            }
            let silent = harness.events.filter { $0.name == "silent" }
            #expect(silent.count == 1)
            #expect(silent.first?.timestamp == .seconds(10))
            let reason = silent.first?.fields.first?.value.description
            #expect(reason?.contains(isNoise ? "baud rate" : "nothing arrives") == true)
            #expect(harness.state("silent") == true)
            let receiver = GPSModel(on: port, loop: harness.loop)
            try await harness.loop.sleep(for: .seconds(3))
            #expect(harness.state("silent") == false)
            #expect(harness.eventNames.contains("position"))
            receiver.situation.isTalking = false
            try await harness.loop.sleep(for: .seconds(60))
            #expect(harness.eventNames.last == "silent")
            #expect(harness.state("fix") == false)
        }
    }

    @Test("The first line, which began before the port was opened, is not called damaged")
    func firstLine() async throws {
        try await Self.withReceiver { harness, _ in
            try harness.board.serialPort("SERIAL0").send(Array("4807.038,N,01131.000,E*47\r\n".utf8))
            try await harness.loop.sleep(for: .seconds(5))
            #expect(harness.eventNames == ["fixed", "position"])
        }
    }

    @Test("A port that is unplugged ends the driver with an error that names it")
    func unplugged() async throws {
        await #expect {
            try await Self.withReceiver { harness, _ in
                try await harness.loop.sleep(for: .seconds(5))
                try harness.board.serialPort("SERIAL0").unplug()
                try await harness.loop.sleep(for: .seconds(5))
            }
        } throws: { ($0 as? PeripheralError)?.description.contains("SERIAL0") == true }
    }
}
