import DeviceKit
import Peripherals

/// A lamp on a digital line.
actor Lamp: Device {
    static let pin = Option("pin", .line, "the line that the lamp is connected to")
    static let driver = Driver(
        name: "lamp", summary: "a lamp on a digital line", options: [pin.description],
        commands: [CommandDescription("on", "lights it"), CommandDescription("off", "darkens it")],
        claims: { [Driver.Claim("pin", try $0[pin])] }, makeDevice: { try Lamp($0, $1) })

    private let context: DeviceContext
    private let pin: String
    private var output: (any DigitalOutput)?
    private var level = Level.low

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        pin = try options[Self.pin]
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        // Opened at the level that it is meant to have: it does not flicker when the device recovers.
        let output = try await context.board.makeDigitalOutput(
            pin, DigitalOutputConfiguration(initialLevel: level), consumer: context.name)
        self.output = output
        defer {
            try? output.write(.low)
            output.close()
            self.output = nil
        }
        ready()
        try await context.waitUntilStopped()
    }

    func perform(_ command: Command) async throws {
        switch command.name {
        case "on": level = .high
        case "off": level = .low
        default: throw DeviceError.unknownCommand(command.name)
        }
        try output?.write(level)
    }
}
