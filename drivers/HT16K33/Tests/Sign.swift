import DeviceKit
import DeviceRuntime
import DriverTesting
import Peripherals
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

/// A display and its device, for tests.
struct Sign: Sendable {
    let harness: DriverHarness
    let display: HT16K33Display

    /// What a layout needs to run: its chips at 0x70 and above on I2C1, its keys' interrupt on GPIO22.
    @discardableResult
    static func run<Value: Sendable>(
        _ layout: String = "alphanumeric", chips: Int = 1, seed: UInt64 = 0, _ options: [String: OptionInput] = [:],
        prepare: @escaping @Sendable (DriverHarness, HT16K33Display) throws -> Void = { _, _ in },
        _ body: @escaping @Sendable (Sign) async throws -> Value
    ) async throws -> Value {
        let addresses = (0..<chips).compactMap { I2CAddress(0x70 + $0) }
        let glass = try #require(HT16K33Glass.all.first { $0.name == layout })
        let made = Protected<HT16K33Display?>(nil)
        var options = options
        options["layout"] = .scalar(layout)
        options["address"] = .list(addresses.map(\.description))
        return try await DriverHarness.run(
            HT16K33.driver, name: "sign", options,
            prepare: { harness in
                let display = HT16K33Display(
                    name: "glass", glass: glass, count: chips, loop: harness.loop, trace: harness.board.trace,
                    interrupt: try harness.board.line("GPIO22"), generator: SeededGenerator(seed: seed))
                for (chip, address) in zip(display.chips, addresses) {
                    try harness.board.i2cBus("I2C1").attach(chip, at: address)
                }
                made.withLock { $0 = display }
                try prepare(harness, display)
            }
        ) { harness in
            let display = try #require(made.withLock { $0 })
            return try await body(Sign(harness: harness, display: display))
        }
    }

    func wait(for duration: Duration) async throws { try await harness.loop.sleep(for: duration) }

    var events: [Event] { harness.events }

    var interrupt: SimulatedLine { get throws { try harness.board.line("GPIO22") } }

    func state(_ name: String) -> Bool? { harness.state(name) }

    /// Gives a command and waits until it is carried out; a text alone is the first argument.
    func perform(_ name: String, _ arguments: [String: OptionInput]) async throws {
        try await harness.perform(HT16K33.driver, name, arguments)
        try await harness.loop.sleep(for: .milliseconds(20))
    }

    func show(_ text: String) async throws { try await perform("show", ["text": .scalar(text)]) }

    /// What a command writes: `00 f6 00`.
    func writes(of name: String, _ arguments: [String: OptionInput]) async throws -> [String] {
        let before = wires.count
        try await perform(name, arguments)
        return Array(wires.dropFirst(before))
    }

    /// The traffic so far.
    var wires: [String] { harness.board.trace.entries.filter { $0.source == "I2C1" }.map(\.text) }

    /// What the glass told so far.
    var glassEntries: [String] { harness.board.trace.entries.filter { $0.source == "glass" }.map(\.text) }

    /// A display that shows a RAM, without a driver.
    static func showing(_ ram: [UInt8], _ layout: String) throws -> HT16K33Display {
        let loop = try EventLoop(time: .virtual)
        let display = HT16K33Display(
            name: "glass", glass: try #require(HT16K33Glass.all.first { $0.name == layout }), count: ram.count / 16,
            loop: loop, generator: SeededGenerator(seed: 1))
        for (index, chip) in display.chips.enumerated() {
            chip.write([0x21])
            chip.write([0x00] + ram[index * 16..<index * 16 + 16])
            chip.write([0x81])
        }
        return display
    }

    static func layout(_ name: String) throws -> HT16K33Layout {
        try #require(HT16K33Layout.all.first { $0.name == name })
    }

    static func digits(_ layout: String, chips: Int = 1) throws -> DigitFace {
        let glass: DigitGlass? = if case .digits(let glass) = try Sign.layout(layout).glass { glass } else { nil }
        return DigitFace(glass: try #require(glass), chips: chips)
    }

    static func matrix(_ layout: String, chips: Int = 1) throws -> MatrixFace {
        let glass: MatrixGlass? = if case .matrix(let glass) = try Sign.layout(layout).glass { glass } else { nil }
        return MatrixFace(glass: try #require(glass), chips: chips)
    }

    static let layoutNames = HT16K33Layout.all.map(\.name)
}
