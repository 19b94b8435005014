import ButtonDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import SimulatedPeripherals
import Testing

@Suite("A button's events")
struct ButtonGestureTests {
    static let cases: [(options: [String: String], hold: Int, times: Int, told: [String])] = [
        ([:], 150, 2, ["pressed", "released", "pressed", "released"]),
        (["clicks": "1"], 150, 1, ["pressed", "released", "clicked"]),
        (["clicks": "2"], 150, 1, ["pressed", "released", "clicked"]),
        (["clicks": "2"], 150, 2, ["pressed", "released", "pressed", "released", "double-clicked"]),
        (
            ["clicks": "3"], 100, 3,
            ["pressed", "released", "pressed", "released", "pressed", "released", "multi-clicked count 3"]
        ),
        (["clicks": "1", "long-press": "1s"], 1500, 1, ["pressed", "long-pressed", "released"]),
        (["clicks": "1", "long-press": "1s"], 999, 1, ["pressed", "released", "clicked"]),
        (
            ["clicks": "1", "repeat": "100ms", "repeat-after": "1s"], 1150, 1,
            ["pressed", "repeated count 1", "repeated count 2", "released"]
        ),
        (
            ["clicks": "2", "click-gap": "140ms"], 100, 2,
            ["pressed", "released", "clicked", "pressed", "released", "clicked"]
        ),
        // Shorter than the settle time.
        ([:], 10, 1, ["glitched count 1"]),
        (["settle": "5ms", "lock-out": "50ms"], 150, 1, ["pressed", "released"]),
    ]

    @Test("What is pressed is told, in its order", arguments: cases)
    func told(options: [String: String], hold: Int, times: Int, told: [String]) async throws {
        let events = try await ButtonTests.press(options, for: .milliseconds(hold), times: times, bounce: .none)
        let words = events.map { event in
            event.fields.first { $0.name == "count" }.map { "\(event.name) count \($0.value)" } ?? event.name
        }
        #expect(words == told)
    }

    @Test("A double click is right for every bounce", arguments: 0..<200)
    func doubleClick(seed: UInt64) async throws {
        let events = try await ButtonTests.press(["clicks": "2"], for: .milliseconds(100), times: 2, seed: seed)
        #expect(events.map(\.name) == ["pressed", "released", "pressed", "released", "double-clicked"])
        #expect(events.last?.timestamp == .milliseconds(1350))
    }

    @Test("A long press is told while it is held: dated to the moment when it became one")
    func longPress() async throws {
        let events = try await ButtonTests.press(["long-press": "1s"], for: .seconds(3))
        #expect(events.map(\.timestamp) == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test("Every event that the options leave out is one that the table says needs them")
    func needs() throws {
        let values = OptionValues()
        let needy = try Button.driver.events.filter { try $0.need?.isMet(values) == false }.map(\.name)
        #expect(needy == ["clicked", "double-clicked", "multi-clicked", "long-pressed", "repeated"])
        let all = Self.cases.flatMap(\.told).compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(Set(all) == Set(Button.driver.events.map(\.name)))
    }
}
