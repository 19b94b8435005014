import DeviceDaemon
import DeviceKit
import Testing

/// A configuration that is wrong, and all that is said of it: `line:column: message`.
struct WrongConfiguration: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let messages: [String]

    init(_ what: String, _ text: String, _ messages: String...) {
        testDescription = what
        self.text = text
        self.messages = messages
    }
}

@Suite("What is said of a wrong configuration")
struct MessageTests {
    static let driverNames = Sample.drivers.map(\.name).joined(separator: ", ")

    @Test(
        "Top level",
        arguments: [
            .init(
                "no name", "board: auto\n", "1:1: 'device' is missing: the name of this device, such as 'device: porch'"
            ),
            .init(
                "a page for everybody", "device: porch\npage: { listen: \"0.0.0.0:80\" }\n",
                "2:17: listen: expected an address of this machine alone, such as 127.0.0.1:8420; found '0.0.0.0:80'; "
                    + "for others, put a server with TLS and a login before it (docs/page.md)"),
            .init("a key that is close", "device: porch\nrule: []\n", "2:1: unknown key 'rule'; did you mean 'rules'?"),
            .init(
                "a key that is not", "device: porch\nnetwork: yes\n",
                "2:1: unknown key 'network'; there are device, board, devices, rules, storage, outbox, metrics, page"),
            .init(
                "a list", "- device: porch\n",
                "1:1: expected a mapping with the keys device, board, devices, rules, storage, outbox, metrics, page; found a list"
            ),
            .init(
                "a text", "porch\n",
                "1:1: expected a mapping with the keys device, board, devices, rules, storage, outbox, metrics, page; found 'porch'"
            ),
            .init(
                "a name with a space", "device: front porch\n",
                "1:9: 'front porch' cannot be a name; a name has 1 to 64 letters (a to z, A to Z), digits, '-' or '_'"),
            .init(
                "a name that is a mapping", "device:\n  bell: { driver: button }\n",
                "2:3: expected a name, such as porch; found a mapping"),
            .init("an empty name", "device:\n", "1:8: expected a name, such as porch; found nothing"),
            .init(
                "an empty name in quotes", "device: \"\"\n",
                "1:9: '' cannot be a name; a name has 1 to 64 letters (a to z, A to Z), digits, '-' or '_'"),
            .init(
                "a board that is close", "device: porch\nboard: raspberrypi5\n",
                "2:8: unknown board 'raspberrypi5'; did you mean 'raspberry-pi-5'?"),
            .init(
                "a board that is not", "device: porch\nboard: arduino\n",
                "2:8: unknown board 'arduino'; there are auto, simulated, raspberry-pi-4, raspberry-pi-5, generic"),
            .init(
                "a board in a list", "device: porch\nboard: [auto]\n",
                "2:8: expected the name of a board, such as auto; found [auto]"),
        ] as [WrongConfiguration])
    func topLevel(wrong: WrongConfiguration) { #expect(Sample.messages(wrong.text.utf8) == wrong.messages) }

    @Test(
        "Devices",
        arguments: [
            .init(
                "a list", "devices:\n  - bell\n",
                "3:3: expected a mapping of device names, such as bell: { driver: button }; found [bell]"),
            .init(
                "nothing", "devices:\n",
                "2:9: expected a mapping of device names, such as bell: { driver: button }; found nothing"),
            .init(
                "a device that is a text", "devices:\n  bell: button\n",
                "3:9: expected a mapping with the driver, such as { driver: button }; found 'button'"),
            .init(
                "a device without a driver", "devices:\n  bell: { pin: GPIO17 }\n",
                "3:3: 'driver' of 'bell' is missing; there are \(driverNames)"),
            .init(
                "a driver key that is close", "devices:\n  bell: { drvier: button, pin: GPIO17 }\n",
                "3:11: unknown key 'drvier' of 'bell'; did you mean 'driver'?"),
            .init(
                "an empty driver", "devices:\n  bell: { driver: , pin: GPIO17 }\n",
                "3:19: expected the name of a driver; found nothing"),
            .init(
                "an unknown driver that is close", "devices:\n  bell: { driver: buton, pin: GPIO17 }\n",
                "3:19: unknown driver 'buton'; did you mean 'button'?"),
            .init(
                "an unknown driver that is not", "devices:\n  lamp: { driver: lamp, pin: GPIO17 }\n",
                "3:19: unknown driver 'lamp'; there are \(driverNames)"),
            .init(
                "an unknown option", "devices:\n  motion: { driver: motion-sensor, pin: GPIO17, warmup: 60s }\n",
                "3:49: unknown option 'warmup' of driver motion-sensor; did you mean 'warm-up'?"),
            .init(
                "an option that is not close", "devices:\n  bell: { driver: button, pin: GPIO17, colour: red }\n",
                "3:40: unknown option 'colour' of driver button; there are pin, pull"),
            .init(
                "no space after a colon", "devices:\n  bell: { driver: button, pin:GPIO17 }\n",
                "3:27: unknown option 'pin:GPIO17' of driver button; a space is missing after the ':'"),
            .init(
                "no unit", "devices:\n  motion: { driver: motion-sensor, pin: GPIO17, warm-up: 60 }\n",
                "3:58: warm-up: expected a duration from 0s to 10min, such as 60s; found '60'"),
            .init(
                "a wrong unit", "devices:\n  motion: { driver: motion-sensor, pin: GPIO17, warm-up: 60deg }\n",
                "3:58: warm-up: expected a duration from 0s to 10min, such as 60s; found '60deg'"),
            .init(
                "beyond the range", "devices:\n  motion: { driver: motion-sensor, pin: GPIO17, warm-up: 11min }\n",
                "3:58: warm-up: expected a duration from 0s to 10min, such as 60s; found '11min'"),
            .init(
                "a wrong choice", "devices:\n  bell: { driver: button, pin: GPIO17, pull: sideways }\n",
                "3:46: pull: expected one of down, none, up; found 'sideways'"),
            .init(
                "an address above 0x77", "devices:\n  sign: { driver: ht16k33, address: 0x78 }\n",
                "3:37: address: expected a 7-bit I2C address from 0x08 to 0x77, such as 0x70; found '0x78'"),
            .init(
                "an address below 0x08", "devices:\n  sign: { driver: ht16k33, address: 0x07 }\n",
                "3:37: address: expected a 7-bit I2C address from 0x08 to 0x77, such as 0x70; found '0x07'"),
            .init(
                "a range backwards", "devices:\n  arm: { driver: servo, pwm: PWM0, range: [90deg, 0deg] }\n",
                "3:43: range: expected two ascending angles from 0deg to 270deg, such as [0deg, 180deg]; found [90deg, 0deg]"
            ),
            .init(
                "a mapping for a range", "devices:\n  arm: { driver: servo, pwm: PWM0, range: { from: 0deg } }\n",
                "3:43: range: expected two ascending angles from 0deg to 270deg, such as [0deg, 180deg]; found a mapping"
            ),
            .init(
                "a list in a list", "devices:\n  arm: { driver: servo, pwm: PWM0, range: [[0deg], 90deg] }\n",
                "3:43: range: expected two ascending angles from 0deg to 270deg, such as [0deg, 180deg]; found a list"),
            .init(
                "a missing option", "devices:\n  bell: { driver: button }\n",
                "3:3: option 'pin' of driver button is missing; expected the name of a digital line, such as GPIO17"),
            .init(
                "an empty option", "devices:\n  bell:\n    driver: button\n    pin:\n",
                "5:9: pin: expected the name of a digital line, such as GPIO17; found nothing"),
            .init(
                "a device name with a dot", "devices:\n  front.bell: { driver: button, pin: GPIO17 }\n",
                "3:3: 'front.bell' cannot be a name; a name has 1 to 64 letters (a to z, A to Z), digits, '-' or '_'"),
            .init(
                "two devices on one line",
                "devices:\n  motion: { driver: motion-sensor, pin: GPIO17 }\n  bell: { driver: button, pin: GPIO17 }\n",
                "4:32: GPIO17 is used by 'motion' already (line 3)"),
            .init(
                "two devices at the address that is the default",
                "devices:\n  sign: { driver: ht16k33 }\n  clock: { driver: ht16k33 }\n",
                "4:3: I2C1 0x70 is used by 'sign' already (line 3)"),
            .init(
                "two devices on one input of a converter",
                "devices:\n  light: { driver: converter, channel: 1 }\n  soil: { driver: converter, channel: 1 }\n",
                "4:39: CH1 of SPI0.0 is used by 'light' already (line 3)"),
            .init(
                "a device that would not share what others share",
                "devices:\n  light: { driver: converter, channel: 1 }\n  soil: { driver: converter, channel: 2 }\n"
                    + "  sign: { driver: glass }\n",
                "5:3: SPI0.0 is used by 'light' already (line 3)"),
            .init(
                "a device that is wrong and takes another's line",
                "devices:\n  bell: { driver: button, pin: GPIO17 }\n"
                    + "  motion: { driver: motion-sensor, pin: GPIO17, warm-up: 60 }\n",
                "4:41: GPIO17 is used by 'bell' already (line 3)",
                "4:58: warm-up: expected a duration from 0s to 10min, such as 60s; found '60'"),
            .init(
                "a wrong address takes nothing",
                "devices:\n  sign: { driver: ht16k33 }\n  clock: { driver: ht16k33, address: 0x90 }\n",
                "4:38: address: expected a 7-bit I2C address from 0x08 to 0x77, such as 0x70; found '0x90'"),
        ] as [WrongConfiguration])
    func devices(wrong: WrongConfiguration) {
        #expect(Sample.messages(("device: porch\n" + wrong.text).utf8) == wrong.messages)
    }

    @Test(
        "Rules",
        arguments: [
            .init(
                "a mapping", "rules: { when: bell.pressed }\n",
                "6:8: expected a list of rules, each such as '- when: bell.pressed'; found a mapping"),
            .init(
                "a rule that is a text", "rules:\n  - bell.pressed\n",
                "7:5: expected a rule with 'when' and 'do'; found 'bell.pressed'"),
            .init(
                "an unknown key", "rules:\n  - when: bell.pressed\n    then: sign.clear\n",
                "7:5: 'do' of the rule is missing: a command, such as sign.clear",
                "8:5: unknown key 'then' of a rule; there are name, when, unless, while, do"),
            .init(
                "an empty rule", "rules:\n  - {}\n",
                "7:5: 'when' of the rule is missing: an event, such as bell.pressed",
                "7:5: 'do' of the rule is missing: a command, such as sign.clear"),
            .init(
                "a name that is a list", "rules:\n  - { name: [], when: bell.pressed, do: sign.clear }\n",
                "7:13: expected a name for the rule; found an empty list"),
            .init(
                "a device that is close", "rules:\n  - when: bel.pressed\n    do: sign.clear\n",
                "7:11: unknown device 'bel'; did you mean 'bell'?"),
            .init(
                "a device that is not", "rules:\n  - when: door.opened\n    do: sign.clear\n",
                "7:11: unknown device 'door'; there are bell, sign, arm"),
            .init(
                "an event that is close", "rules:\n  - when: bell.presed\n    do: sign.clear\n",
                "7:11: unknown event 'presed' of bell; did you mean 'pressed'?"),
            .init(
                "an event that is not", "rules:\n  - when: bell.rang\n    do: sign.clear\n",
                "7:11: unknown event 'rang' of bell; there are pressed, released"),
            .init(
                "an event of a part without any", "rules:\n  - when: sign.shown\n    do: sign.clear\n",
                "7:11: unknown event 'shown' of sign; there are none"),
            .init(
                "no dot", "rules:\n  - when: pressed\n    do: sign.clear\n",
                "7:11: expected an event as device.event, such as bell.pressed; found 'pressed'"),
            .init(
                "nothing before the dot", "rules:\n  - when: .pressed\n    do: sign.clear\n",
                "7:11: expected an event as device.event, such as bell.pressed; found '.pressed'"),
            .init(
                "an empty list", "rules:\n  - when: []\n    do: []\n",
                "7:11: expected an event as device.event, such as bell.pressed; found an empty list",
                "8:9: expected a command as device.command, such as sign.show; found an empty list"),
            .init(
                "a mapping for an event", "rules:\n  - when: { bell: pressed }\n    do: sign.clear\n",
                "7:11: expected an event as device.event, such as bell.pressed; found a mapping"),
            .init(
                "states that are not there",
                "rules:\n  - when: bell.pressed\n    unless: arm.movin\n    while: bell.held\n    do: sign.clear\n",
                "8:13: unknown state 'movin' of arm; did you mean 'moving'?",
                "9:12: unknown state 'held' of bell; there are none"),
            .init(
                "a command that is close", "rules:\n  - when: bell.pressed\n    do: [ sign.shw: HELLO ]\n",
                "8:11: unknown command 'shw' of sign; did you mean 'show'?"),
            .init(
                "commands that are not there",
                "rules:\n  - when: bell.pressed\n    do: [ bell.ring, lamp.on, sign.blink ]\n",
                "8:11: unknown command 'ring' of bell; there are none",
                "8:22: unknown device 'lamp'; there are bell, sign, arm",
                "8:31: unknown command 'blink' of sign; there are show, clear"),
            .init(
                "a missing argument", "rules:\n  - when: bell.pressed\n    do: sign.show\n",
                "8:9: argument 'text' of command sign.show is missing; expected a text"),
            .init(
                "an argument too many", "rules:\n  - when: bell.pressed\n    do: [ sign.clear: all ]\n",
                "8:23: command sign.clear takes no arguments; found 'all'"),
            .init(
                "arguments of which each is wrong",
                "rules:\n  - when: bell.pressed\n    do:\n      - arm.sweep: { from: 20, too: 160deg, over: fast }\n",
                "9:28: from: expected an angle from 0deg to 270deg, such as 90deg; found '20'",
                "9:32: unknown argument 'too' of command arm.sweep; did you mean 'to'?",
                "9:51: over: expected a duration from 0s to 1min, such as 60s; found 'fast'"),
            .init(
                "a wrong first argument", "rules:\n  - when: bell.pressed\n    do:\n      - arm.sweep: 300deg\n",
                "9:9: argument 'to' of command arm.sweep is missing; expected an angle from 0deg to 270deg, such as 90deg",
                "9:20: from: expected an angle from 0deg to 270deg, such as 90deg; found '300deg'"),
            .init(
                "arguments that are not indented",
                "rules:\n  - when: bell.pressed\n    do:\n      - arm.sweep:\n        from: 20deg\n        to: 40deg\n",
                "10:9: 'from' stands beside 'arm.sweep'; indent it further if it is an argument, or begin another action with '- '",
                "11:9: 'to' stands beside 'arm.sweep'; indent it further if it is an argument, or begin another action with '- '"
            ),
            .init(
                "a list in a list", "rules:\n  - when: bell.pressed\n    do: [[ sign.clear ]]\n",
                "8:10: expected a command as device.command, such as sign.show; found [sign.clear]"),
        ] as [WrongConfiguration])
    func rules(wrong: WrongConfiguration) {
        let devices = """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27 }
              sign: { driver: ht16k33 }
              arm: { driver: servo, pwm: PWM0 }

            """
        #expect(Sample.messages((devices + wrong.text).utf8) == wrong.messages)
    }

    @Test(
        "Storage",
        arguments: [
            .init(
                "a text", "storage: s3\n",
                "2:10: expected a mapping of storage names, such as here: { backend: directory }; found 's3'"),
            .init(
                "a backend alone", "storage:\n  backend: s3\n  bucket: porch\n",
                "3:12: expected a mapping with the backend, such as { backend: directory }; found 's3'",
                "4:11: expected a mapping with the backend, such as { backend: directory }; found 'porch'"),
            .init(
                "an unknown backend", "storage:\n  photos: { backend: s4, bucket: porch }\n",
                "3:22: unknown backend 's4'; did you mean 's3'?"),
            .init(
                "a backend that is not close", "storage:\n  photos: { backend: tape }\n",
                "3:22: unknown backend 'tape'; there are directory, s3"),
            .init(
                "a missing backend", "storage:\n  photos: { bucket: porch }\n",
                "3:3: 'backend' of 'photos' is missing; there are directory, s3"),
            .init(
                "a missing option", "storage:\n  photos: { backend: s3 }\n",
                "3:3: option 'bucket' of backend s3 is missing; expected a text"),
            .init(
                "an unknown option", "storage:\n  photos: { backend: s3, bucket: porch, end-point: x }\n",
                "3:41: unknown option 'end-point' of backend s3; did you mean 'endpoint'?"),
        ] as [WrongConfiguration])
    func storage(wrong: WrongConfiguration) {
        #expect(Sample.messages(("device: porch\n" + wrong.text).utf8) == wrong.messages)
    }

    @Test("What rules say of a device whose driver is wrong is not called wrong as well")
    func noConsequences() {
        let rule = "rules:\n  - { when: bell.pressed, unless: bell.held, do: bell.ring }\n"
        for (devices, count) in [("devices:\n  bell: { driver: bel }\n", 1), ("devices: []\n", 1), ("", 3)] {
            #expect(Sample.messages(("device: porch\n" + devices + rule).utf8).count == count)
        }
    }

    @Test("Everything that is wrong in a file is said at once, in the order of the file")
    func allAtOnce() {
        let text = """
            device: porch
            board: raspberry-5
            devices:
              motion: { driver: motion-sensor, pin: GPIO17, warm-up: 60 }
              lamp:   { driver: lamp, pin: GPIO5 }
              bell:   { driver: button, pin: GPIO17, pul: up }
              sign:   { driver: ht16k33, address: 0x90 }
              arm:    { driver: servo }
              bell:   { driver: button, pin: GPIO27 }
            rules:
              - when: [ bel.pressed, motion.startd ]
                unless: arm.still
                do: [ sign.shw: HELLO, arm.sweep: { from: 20, to: 160deg } ]
            stores: {}
            storage:
              photos: { backend: s3 }
              tape:   { backend: tape }
            """
        let expected = """
            perch.yaml:2:8: unknown board 'raspberry-5'; did you mean 'raspberry-pi-5'?
            perch.yaml:4:58: warm-up: expected a duration from 0s to 10min, such as 60s; found '60'
            perch.yaml:5:21: unknown driver 'lamp'; there are \(Self.driverNames)
            perch.yaml:6:34: GPIO17 is used by 'motion' already (line 4)
            perch.yaml:6:42: unknown option 'pul' of driver button; did you mean 'pull'?
            perch.yaml:7:39: address: expected a 7-bit I2C address from 0x08 to 0x77, such as 0x70; found '0x90'
            perch.yaml:8:3: option 'pwm' of driver servo is missing; expected the name of a PWM channel, such as PWM0
            perch.yaml:9:3: 'bell' is given twice; first in line 6
            perch.yaml:11:13: unknown device 'bel'; did you mean 'bell'?
            perch.yaml:11:26: unknown event 'startd' of motion; did you mean 'started'?
            perch.yaml:12:13: unknown state 'still' of arm; there is only moving
            perch.yaml:13:11: unknown command 'shw' of sign; did you mean 'show'?
            perch.yaml:13:47: from: expected an angle from 0deg to 270deg, such as 90deg; found '20'
            perch.yaml:14:1: unknown key 'stores'; there are device, board, devices, rules, storage, outbox, metrics, page
            perch.yaml:16:3: option 'bucket' of backend s3 is missing; expected a text
            perch.yaml:17:22: unknown backend 'tape'; there are directory, s3
            """
        #expect(Sample.error(text.utf8)?.description == expected)
    }
}
