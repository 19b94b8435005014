import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import RotaryEncoderDriver
import SimulatedPeripherals
import Testing

@Suite("Rotary encoder")
struct RotaryEncoderTests {
    static let options: [String: OptionInput] = ["a": .scalar("GPIO23"), "b": .scalar("GPIO24")]

    /// Runs the driver with an encoder on GPIO23 and GPIO24.
    static func withKnob<Value: Sendable>(
        _ more: [String: OptionInput] = [:], seed: UInt64 = 0, interface: LineInterface = .libgpiod2,
        _ body: @escaping @Sendable (DriverHarness, RotaryEncoderModel) async throws -> Value
    ) async throws -> Value {
        let perStep = if case .scalar(let text)? = more["changes-per-step"] { Int(text) ?? 4 } else { 4 }
        return try await DriverHarness.run(
            RotaryEncoder.driver, options.merging(more) { $1 }, seed: seed, lineInterface: interface
        ) { harness in
            let knob = RotaryEncoderModel(
                a: try harness.board.line("GPIO23"), b: try harness.board.line("GPIO24"), loop: harness.loop,
                changesPerStep: perStep, generator: harness.board.makeGenerator())
            return try await body(harness, knob)
        }
    }

    /// Each event's name with its steps and the position.
    static func told(_ harness: DriverHarness) -> [String] {
        harness.events.map { event in "\(event.name) " + event.fields.map { "\($0.value)" }.joined(separator: " ") }
    }

    @Test("Every step of a bouncing knob is told, none twice, in its direction", arguments: 0..<50)
    func turning(seed: UInt64) async throws {
        try await Self.withKnob(seed: seed) { harness, knob in
            knob.turn(by: 12, over: .seconds(1))
            try await harness.loop.sleep(for: .seconds(2))
            knob.turn(by: -5, over: .seconds(1))
            try await harness.loop.sleep(for: .seconds(2))
            let up = (1...12).map { "clockwise 1 \($0)" }
            let down = (7...11).reversed().map { "counterclockwise 1 \($0)" }
            #expect(Self.told(harness) == up + down)
        }
    }

    @Test("A fast turn is not missed, and its steps may come together", arguments: LineInterface.allCases)
    func fast(interface: LineInterface) async throws {
        try await Self.withKnob(interface: interface) { harness, knob in
            // 500 steps a second: no hand can.
            knob.turn(by: 100, over: .milliseconds(200))
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.events.last?.fields.last == .init("position", .integer(100)))
            #expect(Set(harness.eventNames) == ["clockwise"])
        }
    }

    @Test(
        "The direction may be the other one, and steps may have fewer changes", arguments: ["1", "2", "4"],
        ["no", "yes"])
    func options(perStep: String, reverse: String) async throws {
        let options: [String: OptionInput] = ["changes-per-step": .scalar(perStep), "reverse": .scalar(reverse)]
        try await Self.withKnob(options) { harness, knob in
            knob.turn(by: 8, over: .seconds(1))
            try await harness.loop.sleep(for: .seconds(2))
            #expect(harness.events.last?.fields.last == .init("position", .integer(reverse == "yes" ? -8 : 8)))
            // Where every change is a step, a bounce that is longer than the lines are waited for is one to and fro.
            guard perStep != "1" else { return }
            #expect(Set(harness.eventNames) == [reverse == "yes" ? "counterclockwise" : "clockwise"])
        }
    }

    @Test("The position keeps to its range and can be set")
    func position() async throws {
        try await Self.withKnob(["range": .list(["0", "10"])]) { harness, knob in
            try await harness.perform(RotaryEncoder.driver, "set", ["position": .scalar("9")])
            knob.turn(by: 3, over: .seconds(1))
            try await harness.loop.sleep(for: .seconds(2))
            #expect(Self.told(harness) == ["clockwise 1 10", "clockwise 1 10", "clockwise 1 10"])
        }
    }

    @Test(
        "Edges that are lost while the program stands still are told, and the next steps are whole",
        arguments: LineInterface.allCases)
    func lostEdges(interface: LineInterface) async throws {
        try await Self.withKnob(interface: interface) { harness, knob in
            for pin in ["GPIO23", "GPIO24"] { try harness.board.line(pin).setStalled(true) }
            knob.turn(by: 50, over: .seconds(1))
            try await harness.loop.sleep(for: .seconds(2))
            for pin in ["GPIO23", "GPIO24"] { try harness.board.line(pin).setStalled(false) }
            try await harness.loop.sleep(for: .seconds(1))
            #expect(harness.eventNames.last == "missed")
            let before = harness.events.count
            knob.turn(by: 3, over: .seconds(1))
            try await harness.loop.sleep(for: .seconds(2))
            #expect(harness.eventNames.dropFirst(before) == ["clockwise", "clockwise", "clockwise"])
        }
    }

    @Test(
        "A line that fails ends the driver with the line's error, and both lines are given back",
        arguments: ["GPIO23", "GPIO24"])
    func failure(pin: String) async throws {
        await #expect(throws: PeripheralError.self) {
            try await Self.withKnob { harness, _ in
                try harness.board.line(pin).setUnplugged(true)
                try await harness.loop.sleep(for: .seconds(1))
                for pin in ["GPIO23", "GPIO24"] {
                    try harness.board.line(pin).setUnplugged(false)
                    try await harness.board.makeDigitalInput(pin, .init(), consumer: "another").close()
                }
            }
        }
    }
}
