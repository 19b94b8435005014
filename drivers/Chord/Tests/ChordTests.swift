import ChordDriver
import DeviceKit
import DeviceRuntime
import DriverTesting
import Testing

@Suite("Chord")
struct ChordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// `up 100` for the button up going down at 100 ms, `up- 300` for its release.
        let steps: [String]
        let told: [String]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "Two buttons, pressed together", steps: ["up 100", "down 250", "up- 700", "down- 800"],
            told: ["pressed 250", "released 700"]),
        Case(name: "One alone is none", steps: ["up 100", "up- 300", "down 310", "down- 500"], told: []),
        Case(
            name: "One that is held for longer before is none", steps: ["up 100", "down 350", "down- 400", "up- 500"],
            told: []),
        Case(
            name: "A long press is told while it is held, before the release",
            steps: ["down 100", "up 100", "up- 2500", "down- 2500"],
            told: ["pressed 100", "long-pressed 2100", "released 2500"]),
        Case(
            name: "One that was down at the start is none until it is pressed anew",
            steps: ["down 100", "up- 150", "down- 300", "up 400", "down 410"],
            told: ["pressed 410", "long-pressed 2410"]),
        Case(
            name: "One that is pressed again while the other is held is none",
            steps: ["up 0", "down 50", "down- 300", "down 400", "down- 500", "up- 600"],
            told: ["pressed 50", "released 300"]),
    ]

    private static func tell(_ harness: DriverHarness, _ button: String, _ name: String) -> Passing {
        harness.tell(Event(device: button, name: name, timestamp: harness.loop.now))
    }

    static let options: [String: OptionInput] = ["buttons": .list(["up", "down"]), "long-press": .scalar("2s")]

    @Test("Is what is pressed together", arguments: cases)
    func chords(_ row: Case) async throws {
        let told = try await DriverHarness.run(Chord.driver, Self.options) { harness in
            for step in row.steps {
                let words = step.split(separator: " ")
                try await harness.loop.sleep(until: .milliseconds(Int(words[1]) ?? 0))
                let isRelease = words[0].hasSuffix("-")
                let button = isRelease ? words[0].dropLast() : words[0]
                #expect(Self.tell(harness, String(button), isRelease ? "released" : "pressed") == .passOn)
            }
            try await harness.loop.sleep(for: .seconds(3))
            return harness.events.map { "\($0.name) \(Int($0.timestamp / .milliseconds(1)))" }
        }
        #expect(told == row.told)
    }

    @Test("What a button's press would have meant is the chord's, until it is pressed anew")
    func withholding() async throws {
        try await DriverHarness.run(Chord.driver, Self.options) { harness in
            for button in ["up", "down"] { #expect(Self.tell(harness, button, "pressed") == .passOn) }
            try await harness.loop.sleep(for: .milliseconds(10))
            #expect(harness.state("pressed") == true)
            #expect(Self.tell(harness, "up", "long-pressed") == .withhold)
            #expect(Self.tell(harness, "down", "repeated") == .withhold)
            #expect(Self.tell(harness, "down", "glitched") == .passOn)
            for button in ["up", "down"] { #expect(Self.tell(harness, button, "released") == .passOn) }
            try await harness.loop.sleep(for: .milliseconds(400))
            #expect(harness.state("pressed") == false)
            #expect(Self.tell(harness, "up", "clicked") == .withhold)
            #expect(Self.tell(harness, "up", "pressed") == .passOn)
            #expect(Self.tell(harness, "up", "clicked") == .passOn)
            #expect(Self.tell(harness, "down", "double-clicked") == .withhold)
            #expect(Self.tell(harness, "other", "clicked") == .passOn)
        }
    }

    @Test("A chord that has stopped withholds nothing")
    func stopping() async throws {
        let harness = try await DriverHarness.run(Chord.driver, Self.options) { harness in
            for button in ["up", "down"] { _ = Self.tell(harness, button, "pressed") }
            return harness
        }
        #expect(harness.tell(Event(device: "up", name: "clicked", timestamp: .seconds(1))) == .passOn)
    }
}
