import DeviceDaemon
import DeviceKit
import Peripherals

// Drivers and backends that exist for their tables only.

enum Sample {
    static let pin = Option("pin", .line, "")
    static let target = Option("target", .spiTarget, default: "SPI0.0", "")
    static let channel = Option("channel", .integer(0...7), "")
    static let warmUp = Option("warm-up", .duration(.zero...(.seconds(600))), default: "60s", "")
    static let pull = Option(
        "pull", .choice(["up": Bias.pullUp, "down": .pullDown, "none": .disabled]), default: "up", "")
    static let pwm = Option("pwm", .pwmChannel, "")
    static let range = Option("range", .angleRange(.degrees(0)...(.degrees(270))), default: "0deg, 180deg", "")
    static let bus = Option("bus", .i2cBus, default: "I2C1", "")
    static let address = Option("address", .i2cAddress, default: "0x70", "")
    static let text = Option("text", .text, "")
    static let from = Option("from", .angle(.degrees(0)...(.degrees(270))), default: "0deg", "")
    static let to = Option("to", .angle(.degrees(0)...(.degrees(270))), "")
    static let over = Option("over", .duration(.zero...(.seconds(60))), default: "1s", "")
    static let command = Option("command", .command, default: "rpicam-still", "")
    static let path = Option("path", .text, "")
    static let bucket = Option("bucket", .text, "")
    static let endpoint = Option("endpoint", .text, default: "https://s3.amazonaws.com", "")

    static let drivers = [
        driver(
            "button", [pin.description, pull.description], events: ["pressed", "released"],
            claims: { [.init("pin", try $0[pin])] }),
        driver("camera", [command.description], events: ["captured"], commands: [CommandDescription("capture", "")]),
        driver(
            "ht16k33", [bus.description, address.description],
            commands: [CommandDescription("show", "", arguments: [text.description]), CommandDescription("clear", "")],
            claims: { [.init("address", "\(try $0[bus]) \(try $0[address])")] }),
        driver(
            "motion-sensor", [pin.description, warmUp.description], events: ["started", "ended"], states: ["present"],
            claims: { [.init("pin", try $0[pin])] }),
        driver(
            "converter", [target.description, channel.description],
            claims: {
                [
                    .init("target", try $0[target], sharedBy: "converter"),
                    .init("channel", "CH\(try $0[channel]) of \(try $0[target])"),
                ]
            }),
        driver("glass", [target.description], claims: { [.init("target", try $0[target])] }),
        driver(
            "servo", [pwm.description, range.description], states: ["moving"],
            commands: [
                CommandDescription("sweep", "", arguments: [from.description, to.description, over.description]),
                CommandDescription("stop", ""),
            ],
            claims: { [.init("pwm", try $0[pwm])] }),
    ]

    static let backends = [
        BackendDescription(name: "directory", summary: "", options: [path.description]),
        BackendDescription(name: "s3", summary: "", options: [bucket.description, endpoint.description]),
    ]

    static let boards = ["auto", "simulated", "raspberry-pi-4", "raspberry-pi-5", "generic"].map {
        BoardDescription(name: $0)
    }

    /// What the drivers' tables need of a device that nobody makes.
    private struct NoDevice: Error {}

    private static func driver(
        _ name: String, _ options: [OptionDescription], events: [String] = [], states: [String] = [],
        commands: [CommandDescription] = [],
        claims: @escaping @Sendable (OptionValues) throws -> [Driver.Claim] = { _ in [] }
    ) -> Driver {
        Driver(
            name: name, summary: "", options: options, events: events.map { EventDescription($0, "") },
            states: states.map { StateDescription($0, "") }, commands: commands, claims: claims,
            makeDevice: { _, _ in throw NoDevice() })
    }

    static func read(_ text: some Collection<UInt8>) throws(ConfigurationError) -> Configuration {
        try Configuration.read(text, file: "perch.yaml", drivers: drivers, backends: backends, boards: boards)
    }

    static func error(_ text: some Collection<UInt8>) -> ConfigurationError? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    /// The messages for a configuration that is wrong, without the file's name.
    static func messages(_ text: some Collection<UInt8>) -> [String] {
        let diagnostics = error(text)?.diagnostics ?? []
        return diagnostics.map { "\($0.position.line):\($0.position.column): \($0.message)" }
    }

    static let porch = """
        device: porch
        board: raspberry-pi-5            # a comment
        devices:
          motion: { driver: motion-sensor, pin: GPIO17, warm-up: 30s }
          bell:   { driver: button, pin: GPIO27, pull: down }
          arm:    { driver: servo, pwm: PWM0, range: [10deg, 170deg] }
          sign:   { driver: ht16k33, bus: I2C1, address: 0x71 }
          camera: { driver: camera }
        rules:
          - when: bell.pressed
            do: [ sign.show: "HELLO, YOU", camera.capture ]
          - name: wave
            when: [ motion.started, bell.released ]
            unless: arm.moving
            while: motion.present
            do:
              arm.sweep: { from: 20deg, to: 160deg, over: 800ms }
        storage:
          here:   { backend: directory, path: /var/lib/porch }
          photos: { backend: s3, bucket: porch, endpoint: "https://storage.example" }

        """
}
