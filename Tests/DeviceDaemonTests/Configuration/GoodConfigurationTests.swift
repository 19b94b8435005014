import DeviceDaemon
import DeviceKit
import Peripherals
import Testing

@Suite("A good configuration")
struct GoodConfigurationTests {
    @Test("It gives the board and the devices, with typed options and what they claim")
    func devices() throws {
        let porch = try Sample.read(Sample.porch.utf8)
        #expect(porch.name == "porch")
        #expect(porch.board == "raspberry-pi-5")
        #expect(porch.devices.map(\.name) == ["motion", "bell", "arm", "sign", "camera"])
        #expect(porch.devices.map(\.driver.name) == ["motion-sensor", "button", "servo", "ht16k33", "camera"])
        #expect(porch.devices.map { $0.claims.map(\.name) } == [["GPIO17"], ["GPIO27"], ["PWM0"], ["I2C1 0x71"], []])
        #expect(porch.devices[1].position == SourcePosition(line: 5, column: 3))
        #expect(try porch.devices[0].options[Sample.warmUp] == .seconds(30))
        #expect(try porch.devices[1].options[Sample.pull] == .pullDown)
        #expect(try porch.devices[2].options[Sample.range] == .degrees(10)...(.degrees(170)))
        #expect(try porch.devices[3].options[Sample.address] == I2CAddress(0x71))
        #expect(try porch.devices[4].options[Sample.command] == ["rpicam-still"])
    }

    @Test("It gives the rules, with arguments by place and by name")
    func rules() throws {
        let rules = try Sample.read(Sample.porch.utf8).rules
        #expect(rules.map(\.name) == ["rule 1", "wave"])
        #expect(rules.map(\.line) == [10, 12])
        #expect(rules[0].when == [EventReference(device: "bell", event: "pressed")])
        #expect(rules[0].unless.isEmpty && rules[0].onlyWhile.isEmpty)
        #expect(rules[0].actions.map(\.device) == ["sign", "camera"])
        #expect(rules[0].actions.map(\.command.name) == ["show", "capture"])
        #expect(try rules[0].actions[0].command.arguments[Sample.text] == "HELLO, YOU")
        #expect(rules[1].when.map(\.description) == ["motion.started", "bell.released"])
        #expect(rules[1].unless == [StateReference(device: "arm", state: "moving")])
        #expect(rules[1].onlyWhile == [StateReference(device: "motion", state: "present")])
        #expect(rules[1].actions.map(\.command.name) == ["sweep"])
        #expect(try rules[1].actions[0].command.arguments[Sample.to] == .degrees(160))
        #expect(try rules[1].actions[0].command.arguments[Sample.over] == .milliseconds(800))
    }

    @Test("It gives the storage")
    func storage() throws {
        let storage = try Sample.read(Sample.porch.utf8).storage
        #expect(storage.map(\.name) == ["here", "photos"])
        #expect(storage.map(\.backend.name) == ["directory", "s3"])
        #expect(try storage[0].options[Sample.path] == "/var/lib/porch")
        #expect(try storage[1].options[Sample.endpoint] == "https://storage.example")
    }

    @Test("A name is enough; the board is then found out")
    func least() throws {
        let least = try Sample.read("device: porch".utf8)
        #expect(least.board == "auto")
        #expect(least.devices.isEmpty && least.rules.isEmpty && least.storage.isEmpty)
    }

    @Test("A byte order mark and Windows line ends do no harm")
    func windows() throws {
        let text = "\u{FEFF}" + Sample.porch.replacing("\n", with: "\r\n")
        #expect(try Sample.read(text.utf8).devices.count == 5)
    }

    @Test("The wiring table shows it all")
    func wiringTable() throws {
        let table = """
            porch on board raspberry-pi-5

            device  driver         uses       options
            motion  motion-sensor  GPIO17     pin GPIO17, warm-up 30s
            bell    button         GPIO27     pin GPIO27, pull down
            arm     servo          PWM0       pwm PWM0, range [10deg, 170deg]
            sign    ht16k33        I2C1 0x71  bus I2C1, address 0x71
            camera  camera

            rule    what it does
            rule 1  when bell.pressed: sign.show text "HELLO, YOU", then camera.capture
            wave    when motion.started or bell.released, unless arm.moving, while motion.present: \
            arm.sweep from 20deg to 160deg over 800ms

            storage  backend    options
            here     directory  path /var/lib/porch
            photos   s3         bucket porch, endpoint https://storage.example

            """
        #expect(try Sample.read(Sample.porch.utf8).wiringTable == table)
    }
}
