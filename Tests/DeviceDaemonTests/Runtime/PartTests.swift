import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@testable import DeviceDaemon

@Suite("The simulated parts that come with Perch")
struct PartTests {
    static let names = standardParts.map(\.driver)

    /// Where the examples of the tables are not enough.
    private static let options = [
        "button": "pin: GPIO5", "motion-sensor": "pin: [GPIO17, GPIO22]", "rotary-encoder": "a: GPIO17, b: GPIO18",
    ]

    /// What a driver must be given, by the examples of its table.
    private static func options(of driver: String) throws -> String {
        let table = try #require(standardDrivers.first { $0.name == driver }).options
        return table.filter(\.isRequired).map { "\($0.name): \(example(of: $0))" }.joined(separator: ", ")
    }

    /// `a duration from 0s to 1s, such as 60s` → `60s`
    private static func example(of option: OptionDescription) -> String {
        let words = option.expectation.split(separator: " ")
        if let place = words.lastIndex(of: "as"), place + 1 < words.count {
            return words[place + 1].filter { $0 != "," }
        }
        // One of a few words.
        return words.last.map(String.init) ?? ""
    }

    /// Runs `body` with the part of one device.
    private static func withPart(
        of driver: String, _ body: @escaping @Sendable (SimulatedBoard, any SimulatedPart) async throws -> Void
    ) async throws {
        let options = try Self.options[driver] ?? Self.options(of: driver)
        let entries = options.isEmpty ? "" : ", \(options)"
        let configuration = try Configuration.read(
            "device: porch\ndevices: { part: { driver: \(driver)\(entries) } }\n".utf8, file: "perch.yaml",
            drivers: standardDrivers, backends: [], boards: Configuration.boards)
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop, seed: 1)
            let world = try SimulatedWorld(configuration, on: board)
            try await body(board, try #require(world.parts.first).part)
        }
    }

    @Test("Every stimulus can happen, every observation has a value, and no other has", arguments: names)
    func tables(driver: String) async throws {
        let model = try #require(standardParts.first { $0.driver == driver })
        try await Self.withPart(of: driver) { board, part in
            for stimulus in model.stimuli {
                let values = try stimulus.arguments.filter(\.isRequired).map { argument in
                    (argument.name, try #require(argument.parse(.scalar(Self.example(of: argument)))))
                }
                let arguments = OptionValues(Dictionary(uniqueKeysWithValues: values))
                try part.apply(Command(name: stimulus.name, arguments: arguments))
                try await board.loop.sleep(for: .seconds(10))
            }
            for observation in model.observations { #expect(part.observe(observation.name) != nil) }
            #expect(part.observe("nothing") == nil)
            #expect(throws: DeviceError.self) { try part.apply(Command(name: "nothing")) }
        }
    }

    @Test("A button's part is pressed, held and released on its line")
    func button() async throws {
        try await Self.withPart(of: "button") { board, part in
            let line = try board.line("GPIO5")
            try part.apply(Command(name: "hold"))
            try await board.loop.sleep(for: .seconds(1))
            #expect(line.level == .low)
            #expect(part.observe("down") == .flag(true))
            try part.apply(Command(name: "release"))
            try await board.loop.sleep(for: .seconds(1))
            #expect(part.observe("down") == .flag(false))
        }
    }

    @Test("Of several motion sensors all see somebody, or the one that is named")
    func motion() async throws {
        try await Self.withPart(of: "motion-sensor") { board, part in
            let lines = try ["GPIO17", "GPIO22"].map { try board.line($0) }
            try await board.loop.sleep(until: .seconds(90))
            try part.apply(Command(name: "walk-past"))
            #expect(lines.map(\.level) == [.high, .high])
            #expect(part.observe("moving") == .flag(true))
            try await board.loop.sleep(for: .seconds(60))
            #expect(part.observe("output") == .flag(false))
            try part.apply(Command(name: "walk-past", arguments: OptionValues(["at": "GPIO22"])))
            #expect(lines.map(\.level) == [.low, .high])
            #expect(throws: (any Error).self) {
                try part.apply(Command(name: "walk-past", arguments: OptionValues(["at": "GPIO9"])))
            }
        }
    }

    @Test("A servo's part is where its pulses say, by the device's calibration; a continuous one has a speed")
    func servo() async throws {
        try await Self.withPart(of: "servo") { board, part in
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            try await output.set(period: .milliseconds(20), pulseWidth: .microseconds(1250))
            try await output.enable()
            try await board.loop.sleep(for: .seconds(1))
            #expect(part.observe("angle") == .number(45))
            #expect(part.observe("holding") == .flag(true))
            await output.close()
        }
        try await Self.withPart(of: "continuous-servo") { board, part in
            #expect(part.observe("speed") == .number(0))
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            try await output.set(period: .milliseconds(20), pulseWidth: .microseconds(1250))
            try await output.enable()
            #expect(part.observe("speed") == .number(-50))
            await output.close()
        }
    }
}
