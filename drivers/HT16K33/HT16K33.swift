public import DeviceKit
import DeviceRuntime
public import Peripherals
import SegmentGlyphs

/// A four-character 14-segment display with an HT16K33 (Holtek datasheet V.1.10; page numbers below are its).
public actor HT16K33: Device {
    private let context: DeviceContext
    private let bus: String
    private let address: I2CAddress

    // What it is meant to show; kept over failures.
    private var text: [FourteenSegment] = []
    private var brightness: Int
    private var wake: AsyncStream<Void>.Continuation?
    private var hasNewText = false

    private static let width = 4
    private static let step: Duration = .milliseconds(300)

    /// The chip's commands (page 30).
    private enum Code {
        static let displayRAM: UInt8 = 0x00
        static let oscillatorOn: UInt8 = 0x21
        /// Display on, no blinking.
        static let displayOn: UInt8 = 0x81
        /// Plus the duty: 0 is 1/16, 15 is 16/16.
        static let dimming: UInt8 = 0xE0
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        bus = try options[Self.bus]
        address = try options[Self.address]
        brightness = try options[Self.brightness]
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let chip = try await context.board.makeI2CDevice(bus: bus, address: address, consumer: context.name)
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        defer {
            self.wake = nil
            chip.close()
        }
        // The RAM is random after power-on: it is filled before the display is switched on.
        try await chip.write([Code.oscillatorOn])
        try await chip.write([Code.displayRAM] + [UInt8](repeating: 0, count: 16))
        try await chip.write([Code.dimming | UInt8(brightness - 1)])
        try await chip.write([Code.displayOn])
        ready()
        if !text.isEmpty { try await showText(on: chip) }
        for await _ in wakes {
            try await chip.write([Code.dimming | UInt8(brightness - 1)])
            while hasNewText { try await showText(on: chip) }
        }
        try Task.checkCancellation()
    }

    public func perform(_ command: Command) async throws {
        switch command.name {
        case "show":
            text = HT16K33Text.digits(of: try command.arguments[Self.text])
            hasNewText = true
        case "clear":
            text = []
            hasNewText = true
        case "brightness": brightness = try command.arguments[Self.level]
        default: throw DeviceError.unknownCommand(command.name)
        }
        wake?.yield()
    }

    /// Shows the text, all of it: what is longer than the glass moves through once. A new text cuts in.
    private func showText(on chip: any I2CDevice) async throws {
        hasNewText = false
        for (index, frame) in HT16K33Text.frames(of: text, width: Self.width).enumerated() {
            if index > 0 { try await context.clock.sleep(for: Self.step) }
            if hasNewText { return }
            try await chip.write(
                [Code.displayRAM] + frame.flatMap { [UInt8($0.rawValue & 0xFF), UInt8($0.rawValue >> 8)] })
        }
    }
}

extension HT16K33 {
    public static let bus = Option("bus", .i2cBus, default: "I2C1", "the I2C bus")
    public static let address = Option("address", .i2cAddress, default: "0x70", "the address, set by jumpers")
    static let layout = Option(
        "layout", .choice(["alphanumeric": "alphanumeric"]), default: "alphanumeric",
        "what is connected to the chip: four 14-segment characters")
    static let brightness = Option("brightness", .integer(1...16), default: "16", "the brightness at the start")

    static let text = Option("text", .text, "what to show; a text longer than the glass moves through once")
    static let level = Option("level", .integer(1...16), "the brightness in sixteenths")

    public static let driver = Driver(
        name: "ht16k33",
        summary: "a four-character 14-segment display with an HT16K33",
        options: [bus.description, address.description, layout.description, brightness.description],
        commands: [
            CommandDescription("show", "shows a text", arguments: [text.description]),
            CommandDescription("clear", "shows nothing"),
            CommandDescription("brightness", "sets the brightness", arguments: [level.description]),
        ],
        claims: { [Driver.Claim("address", "\(try $0[bus]) \(try $0[address])")] },
        makeDevice: { try HT16K33($0, $1) })
}
