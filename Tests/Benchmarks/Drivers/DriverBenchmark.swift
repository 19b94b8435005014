import DeviceDaemon
import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals

/// Counts what the display driver puts on the bus for an update (docs/benchmarks-drivers.md): a line of
/// `case, transactions, bytes` each, addresses included.
@main
enum DriverBenchmark {
    /// An update of a display that shows `before`.
    struct Update: Sendable {
        let name: String
        let layout: String
        var chips = 1
        var before: [Command] = []
        let update: [Command]
        /// How long a text moves.
        var duration: Duration = .zero

        init(
            _ name: String, _ layout: String, chips: Int = 1, from before: (String, [String: OptionInput])? = nil,
            to update: (String, [String: OptionInput]), for duration: Duration = .zero
        ) throws {
            self.name = name
            self.layout = layout
            self.chips = chips
            self.before = try before.map { [try command($0)] } ?? []
            self.update = [try command(update)]
            self.duration = duration
        }
    }

    static let driver: Driver? = standardDrivers.first { $0.name == "ht16k33" }

    static func command(_ call: (name: String, arguments: [String: OptionInput])) throws -> Command {
        let table = driver?.commands.first { $0.name == call.name }?.arguments ?? []
        return Command(name: call.name, arguments: try values(call.arguments, table))
    }

    static func values(_ inputs: [String: OptionInput], _ table: [OptionDescription]) throws -> OptionValues {
        OptionValues(
            try inputs.reduce(into: [:]) { values, input in
                guard let value = table.first(where: { $0.name == input.key })?.parse(input.value) else {
                    throw PeripheralError(.invalidArgument, "there is no \(input.key) such as \(input.value)")
                }
                values[input.key] = value
            })
    }

    static func show(_ text: String) -> (String, [String: OptionInput]) { ("show", ["text": .scalar(text)]) }
    static func frame(_ rows: [String]) -> (String, [String: OptionInput]) { ("frame", ["rows": .list(rows)]) }

    static let smile = ["..####..", ".#....#.", "#.#..#.#", "#......#", "#.#..#.#", "#..##..#", ".#....#.", "..####.."]

    static func updates() throws -> [Update] {
        let dot = frame(["", "", "", "...#...."])
        let next = frame(["", "", "", "....#..."])
        let colours = smile.map { $0.map { $0 == "#" ? "r" : "g" }.joined() }
        return [
            try Update("14 segments: HELP becomes HELD", "alphanumeric", from: show("HELP"), to: show("HELD")),
            try Update("14 segments: 1234 becomes 5678", "alphanumeric", from: show("1234"), to: show("5678")),
            try Update("14 segments: the same text again", "alphanumeric", from: show("HELP"), to: show("HELP")),
            try Update(
                "14 segments: HELLO WORLD moves through", "alphanumeric",
                to: ("scroll", ["text": .scalar("HELLO WORLD")]), for: .seconds(10)),
            try Update(
                "14 segments, two chips: the last of eight characters", "alphanumeric", chips: 2,
                from: show("TEMP 21C"), to: show("TEMP 21F")),
            try Update(
                "7 segments: 12:34 becomes 12:35", "7-segment", from: ("time", ["value": .scalar("12:34")]),
                to: ("time", ["value": .scalar("12:35")])),
            try Update(
                "7 segments: the colon goes out", "7-segment", from: ("time", ["value": .scalar("12:34")]),
                to: ("time", ["value": .scalar("12:34"), "colon": .scalar("off")])),
            try Update("8×8: a point moves by one column", "8x8", from: dot, to: next),
            try Update("8×8: a picture", "8x8", to: frame(smile)),
            try Update(
                "16×8: a picture moves by one column", "16x8", from: frame(smile),
                to: frame(smile.map { "." + $0 })),
            try Update("8×8 in two colours: a point moves by one column", "8x8-bicolour", from: dot, to: next),
            try Update("8×8 in two colours: a picture", "8x8-bicolour", to: frame(colours)),
            try Update(
                "bar graph: 11 becomes 12", "bar-24", from: ("bar", ["value": .scalar("11"), "of": .scalar("24")]),
                to: ("bar", ["value": .scalar("12"), "of": .scalar("24")])),
            try Update("brightness", "alphanumeric", to: ("brightness", ["level": .scalar("8")])),
            try Update("blinking", "alphanumeric", to: ("blink", ["rate": .scalar("1Hz")])),
        ]
    }

    private final class Nobody: DeviceSink {
        func emit(_ event: Event) {}
        func setState(device: String, state: String, _ value: Bool) {}
        func setFault(device: String, _ reason: String?) {}
        func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following { Following {} }
        func makePayloadPath() -> String { "" }
    }

    /// Transactions and bytes of setting up, and of an update.
    static func count(_ update: Update) throws -> (start: (Int, Int), update: (Int, Int)) {
        guard let driver else { return ((0, 0), (0, 0)) }
        let addresses = (0..<update.chips).compactMap { I2CAddress(0x70 + $0) }
        let options = try values(
            ["layout": .scalar(update.layout), "address": .list(addresses.map(\.description))], driver.options)
        let loop = try EventLoop(time: .virtual)
        return try loop.run {
            let board = SimulatedBoard(loop: loop)
            for address in addresses { try board.i2cBus("I2C1").attach(RegistersModel(), at: address) }
            let context = DeviceContext(
                name: "display", board: board, loop: loop, logger: Logger(RecordingLogSink()), sink: Nobody())
            let device = try driver.makeDevice(options, context)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { do { try await device.run {} } catch is CancellationError {} }
                try await loop.sleep(for: .milliseconds(50))
                let start = traffic(board)
                for command in update.before { try await device.perform(command) }
                try await loop.sleep(for: .milliseconds(50))
                let before = traffic(board)
                for command in update.update { try await device.perform(command) }
                try await loop.sleep(for: .milliseconds(50) + update.duration)
                let after = traffic(board)
                group.cancelAll()
                return (start, (after.0 - before.0, after.1 - before.1))
            }
        }
    }

    /// What was on the bus: each entry of the trace is a write such as `0x70 write 00 f6`, whose address is a byte too.
    static func traffic(_ board: SimulatedBoard) -> (Int, Int) {
        board.trace.entries.reduce(into: (0, 0)) { total, entry in
            let words = entry.text.split(separator: " ")
            guard entry.isWire, words.count > 1, words[1] == "write" else { return }
            total.0 += 1
            total.1 += words.count - 1
        }
    }

    static func main() throws {
        let updates = try updates()
        for (index, update) in updates.enumerated() {
            let (start, count) = try count(update)
            if index == 0 { print("setting up, dark\t\(start.0)\t\(start.1)") }
            print("\(update.name)\t\(count.0)\t\(count.1)")
        }
    }
}
