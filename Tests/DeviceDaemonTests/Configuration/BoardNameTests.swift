import DeviceDaemon
import DeviceKit
import LinuxPeripherals
import TestSupport
import Testing

@Suite("Names of a board's lines, buses and channels")
struct BoardNameTests {
    /// The messages for devices on a board, as of a file in `folder`.
    private func messages(_ text: String, in folder: String = ".") -> [String] {
        do {
            _ = try Configuration.read(
                text.utf8, file: "\(folder)/perch.yaml", drivers: Sample.drivers, backends: Sample.backends,
                boards: Configuration.boards)
            return []
        } catch {
            return error.diagnostics.map { diagnostic in
                let file = diagnostic.file.split(separator: "/").last ?? ""
                return "\(file):\(diagnostic.position.line):\(diagnostic.position.column): \(diagnostic.message)"
            }
        }
    }

    private static let devices = """
        devices:
          bell: { driver: button, pin: GPIO71 }
          arm:  { driver: servo, pwm: PWM4 }
          sign: { driver: ht16k33, bus: I2C41 }

        """

    @Test(
        "A name that the named board does not have is an error, with the one that was probably meant",
        arguments: [
            (
                "raspberry-pi-5",
                [
                    "perch.yaml:4:32: pin: raspberry-pi-5 has no digital line 'GPIO71'; did you mean 'GPIO1'?",
                    "perch.yaml:5:31: pwm: raspberry-pi-5 has no PWM channel 'PWM4'; did you mean 'PWM0'?",
                    "perch.yaml:6:33: bus: raspberry-pi-5 has no I2C bus 'I2C41'; did you mean 'I2C1'?",
                ]
            ),
            (
                "simulated",
                [
                    "perch.yaml:4:32: pin: simulated has no digital line 'GPIO71'; did you mean 'GPIO1'?",
                    "perch.yaml:5:31: pwm: simulated has no PWM channel 'PWM4'; did you mean 'PWM0'?",
                    "perch.yaml:6:33: bus: simulated has no I2C bus 'I2C41'; did you mean 'I2C1'?",
                ]
            ),
            // Its lines have the kernel's names, which only the board itself knows.
            (
                "generic",
                [
                    "perch.yaml:5:31: pwm: generic has no PWM channel 'PWM4'; did you mean 'PWM0'?",
                    "perch.yaml:6:33: bus: generic has no I2C bus 'I2C41'; did you mean 'I2C1'?",
                ]
            ),
            // It may be any board.
            ("auto", []),
        ])
    func unknownNames(board: String, expected: [String]) {
        #expect(messages("device: porch\nboard: \(board)\n" + Self.devices) == expected)
    }

    private static let board = """
        name: tower
        gpio-chips: [1c20800.pinctrl]
        lines: { BELL: 6, LAMP: 7 }
        pwm: { PWM0: { device: 1c21400.pwm, channel: 0 } }
        i2c: { I2C3: /dev/i2c-3 }
        spi: { SPI0.0: /dev/spidev0.0 }
        serial: { CONSOLE: /dev/ttyS1 }

        """

    @Test("A board of a file has the names that the file gives, and a default that it lacks is told")
    func boardFile() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.board, to: "tower.yaml")
        let good = """
            device: porch
            board: ./tower.yaml
            devices: { bell: { driver: button, pin: BELL }, sign: { driver: ht16k33, bus: I2C3 } }
            """
        #expect(messages(good, in: folder.path) == [])
        let configuration = try Configuration.read(
            good.utf8, file: "\(folder.path)/perch.yaml", drivers: Sample.drivers, backends: [],
            boards: Configuration.boards)
        let profile = try #require(configuration.boardProfile)
        #expect(profile.name == "tower")
        #expect(profile.gpioChipLabels == ["1c20800.pinctrl"])
        #expect(profile.lines == ["BELL": 6, "LAMP": 7])
        #expect(profile.pwmChannels["PWM0"]?.devices == ["1c21400.pwm"])
        #expect(profile.i2cBuses == ["I2C3": "/dev/i2c-3"])
        #expect(profile.spiTargets == ["SPI0.0": "/dev/spidev0.0"])
        #expect(profile.serialPorts == ["CONSOLE": "/dev/ttyS1"])

        let bad = "device: porch\nboard: \(folder.path)/tower.yaml\n" + Self.devices.replacing("bus: I2C41", with: "")
        #expect(
            messages(bad) == [
                "perch.yaml:4:32: pin: tower has no digital line 'GPIO71'; there are BELL, LAMP",
                "perch.yaml:5:31: pwm: tower has no PWM channel 'PWM4'; did you mean 'PWM0'?",
                "perch.yaml:6:3: bus: tower has no I2C bus 'I2C1'; did you mean 'I2C3'?",
            ])
    }

    @Test(
        "What is wrong in a board's file is told with its own place",
        arguments: [
            (
                "lines: { LED: 17 }\n",
                [
                    "1:1: 'name' is missing: the board's name, such as 'name: orange-pi-zero'",
                    "1:8: 'lines' need 'gpio-chips': the label of the chip whose lines they are (see gpiodetect)",
                ]
            ),
            ("name: a\nserail: {}\n", ["2:1: unknown key 'serail'; did you mean 'serial'?"]),
            (
                "name: a\ngpio-chips: x\nlines: { LED: many, B: 3, C: 3, 'a b': 4 }\n",
                [
                    "3:15: expected a line's offset on its chip, such as 17; found 'many'",
                    "3:30: 'C' and 'B' are both line 3",
                    "3:33: 'a b' cannot be a name; it has letters, digits, '.', '_' or '-'",
                ]
            ),
            (
                "name: a\npwm: { PWM0: { device: x }, PWM1: { device: y, channel: -1 }, PWM2: 3 }\n",
                [
                    "2:8: 'PWM0' needs a 'device' and a 'channel': PWM0: { device: fe20c000.pwm, channel: 0 }",
                    "2:57: expected a channel's number, such as 0; found '-1'",
                    "2:69: expected a chip's device and a channel, such as PWM0: { device: fe20c000.pwm, channel: 0 }; "
                        + "found '3'",
                ]
            ),
            ("name: a\ni2c: { I2C1: 1 }\n", ["2:14: expected a device node, as in I2C1: /dev/i2c-1; found '1'"]),
            (
                "- a\n",
                ["1:1: expected a mapping with the keys name, gpio-chips, lines, pwm, i2c, spi, serial; found [a]"]
            ),
        ] as [(String, [String])])
    func wrongBoardFile(text: String, expected: [String]) throws {
        let folder = try TemporaryDirectory()
        try folder.write(text, to: "tower.yaml")
        #expect(
            messages("device: porch\nboard: ./tower.yaml\n", in: folder.path)
                == ["perch.yaml:2:8: the board's file './tower.yaml' is wrong:"] + expected.map { "tower.yaml:" + $0 })
    }

    @Test("A board's file that is not there is told at its name")
    func noBoardFile() {
        #expect(
            messages("device: porch\nboard: ./nowhere.yaml\n", in: "/tmp")
                == ["perch.yaml:2:8: the board's file '/tmp/nowhere.yaml' cannot be read: No such file or directory"])
    }

    @Test("The example's board is valid")
    func example() throws {
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        #expect(messages("device: porch\nboard: \(folder)/examples/boards/orange-pi-zero.yaml\n") == [])
    }
}
