import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("Board profiles")
struct BoardProfileTests {
    @Test(
        "The board is recognised by the model in its device tree",
        arguments: [
            ("Raspberry Pi 3 Model B Plus Rev 1.3\0", "raspberry-pi-3"),
            ("Raspberry Pi Zero 2 W Rev 1.0\0", "raspberry-pi-zero-2-w"),
            ("Raspberry Pi 4 Model B Rev 1.4\0", "raspberry-pi-4"), ("Raspberry Pi 400 Rev 1.0\0", "raspberry-pi-4"),
            ("Raspberry Pi Compute Module 4 Rev 1.0\0", "raspberry-pi-4"),
            ("Raspberry Pi 5 Model B Rev 1.0\0", "raspberry-pi-5"), ("Raspberry Pi 500 Rev 1.0\0", "raspberry-pi-5"),
        ])
    func detection(model: String, expected: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(model.dropLast()), to: "model")
        #expect(try BoardProfile.named("auto", modelPath: "\(folder.path)/model").name == expected)
    }

    @Test("A board that is not known is told what to choose from", arguments: [nil, "Banana Pi BPI-M2"])
    func unknownBoard(model: String?) async throws {
        let folder = try TemporaryDirectory()
        if let model { try folder.write(model, to: "model") }
        let error = try await failure {
            _ = try BoardProfile.named("auto", modelPath: "\(folder.path)/model")
        }
        #expect(error.code == .notFound)
        #expect(error.description.contains(model ?? "no device tree"))
        #expect(error.description.contains("raspberry-pi-5"))
    }

    @Test("A profile has the name by which it is found", arguments: BoardProfile.all)
    func names(profile: BoardProfile) throws {
        #expect(try BoardProfile.named(profile.name) == profile)
    }

    @Test("A misspelled profile is told what there is")
    func misspelled() async throws {
        let error = try await failure { _ = try BoardProfile.named("raspberry-pi-55") }
        #expect(error.description.contains("'raspberry-pi-55'") && error.description.contains("raspberry-pi-zero-2-w"))
    }

    /// The labels of a board's chips in the order of their numbers, as kernels have numbered them.
    private static let numberings: [(profile: BoardProfile, labels: [String], number: Int)] = [
        (.raspberryPiZero2W, ["pinctrl-bcm2835", "raspberrypi-exp-gpio"], 0),
        (.raspberryPi3, ["pinctrl-bcm2835", "raspberrypi-exp-gpio"], 0),
        (.raspberryPi4, ["pinctrl-bcm2711", "raspberrypi-exp-gpio"], 0),
        // The Raspberry Pi 5 before 6.6.45, and since then.
        (
            .raspberryPi5,
            [
                "gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520", "gpio-brcmstb@107d517c00",
                "gpio-brcmstb@107d517c20", "pinctrl-rp1",
            ], 4
        ),
        (.raspberryPi5, ["pinctrl-rp1", "gpio-brcmstb@107d508500", "gpio-brcmstb@107d517c20"], 0),
    ]

    @Test("The header's chip is found by its label, whatever its number", arguments: numberings.indices)
    func headerChip(index: Int) {
        let (profile, labels, number) = Self.numberings[index]
        let chips = profile.gpioChips(among: Array(labels.enumerated()), label: \.element)
        #expect(chips.map(\.offset) == [number])
    }

    @Test("Each Raspberry Pi has the header's lines, its PWM channels, buses and ports")
    func raspberryPis() {
        for (profile, channels) in [
            (BoardProfile.raspberryPiZero2W, 2), (.raspberryPi3, 2), (.raspberryPi4, 2), (.raspberryPi5, 4),
        ] {
            #expect(profile.lines.count == 28 && profile.lines["GPIO17"] == 17)
            #expect(profile.pwmChannels.count == channels)
            #expect(profile.pwmChannels.values.allSatisfy { $0.devices.count == 1 })
            #expect(profile.i2cBuses["I2C1"] == "/dev/i2c-1")
            #expect(profile.spiTargets["SPI0.0"] == "/dev/spidev0.0")
            #expect(profile.serialPorts["SERIAL0"] == "/dev/serial0")
        }
    }
}
