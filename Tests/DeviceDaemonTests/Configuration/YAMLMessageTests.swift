import DeviceDaemon
import Testing

@Suite("What is said of wrong YAML")
struct YAMLMessageTests {
    @Test(
        "Text that is not YAML, or not the part of it that is taken",
        arguments: [
            .init("an empty file", "", "1:1: the file is empty; it needs a name at least: 'device: porch'"),
            .init("a comment only", "# later\n", "1:1: the file is empty; it needs a name at least: 'device: porch'"),
            .init(
                "a document of nothing", "---\n", "1:1: the file is empty; it needs a name at least: 'device: porch'"),
            .init(
                "a second document", "device: porch\n---\ndevice: yard\n",
                "2:1: a second document begins here; only one is read, without '---'"),
            .init(
                "a bracket left open", "device: porch\ndevices:\n  bell: { driver: button\n",
                "4:1: not valid YAML: a ',' or a '}' is missing before this (the '{' is in line 3)"),
            .init(
                "a bracket left open above", "devices:\n  bell: { driver: button, pin: GPIO17\nrules: []\n",
                "3:6: not valid YAML: a ',' or a '}' is missing before this (the '{' is in line 2)"),
            .init(
                "a list left open", "device: porch\nrules: [ a, b\nstorage: {}\n",
                "2:10: expected a rule with 'when' and 'do'; found 'a'",
                "3:8: not valid YAML: a ',' or a ']' is missing before this (the '[' is in line 2)"),
            .init(
                "a quote left open", "device: \"porch\nboard: auto\n",
                "1:9: not valid YAML: the closing quote is missing"),
            .init(
                "a second colon", "device: porch: board: auto\n",
                "1:14: not valid YAML: a ':' where no value can begin; put quotes around a text that contains ': ', and check the indentation"
            ),
            .init(
                "a tab", "device: porch\ndevices:\n\tbell: { driver: button }\n",
                "3:1: not valid YAML: a tab where only spaces may stand; indent with spaces"),
            .init(
                "lines that do not line up", "device: porch\n board: auto\n",
                "2:7: not valid YAML: a ':' where no value can begin; put quotes around a text that contains ': ', and check the indentation"
            ),
            .init(
                "entries that do not line up", "devices:\n    bell: {}\n  sign: {}\n",
                "3:3: not valid YAML: this does not line up with the lines above; entries of one mapping begin in the same column"
            ),
            .init(
                "items that do not line up", "rules:\n  - when: a\n do: b\n",
                "3:2: not valid YAML: this does not line up with the lines above; entries of one mapping begin in the same column"
            ),
            .init(
                "a line without a colon", "device: porch\nboard\ndevices: {}\n",
                "2:1: not valid YAML: this needs ': ' and a value, or '- ' in front"),
            .init(
                "a character that begins nothing", "device: @porch\n",
                "1:9: not valid YAML: a text cannot begin with '@' unless it is in quotes"),
            .init(
                "a closing bracket too many", "device: porch }\nrules: ]\n",
                "2:8: not valid YAML: a value is missing before this"),
            .init(
                "a wrong escape", "device: \"\\q\"\n",
                "1:10: not valid YAML: an escape that YAML does not have; a backslash is written '\\\\', or as it is in single quotes"
            ),
            .init(
                "an alias and its anchor", "device: &name porch\nboard: *name\n",
                "1:9: '&name' is an anchor of YAML, which Perch does not take; write the value itself, or quotes around a text",
                "2:8: '*name' is an alias of YAML, which Perch does not take; write the value itself, or quotes around a text"
            ),
            .init(
                "an alias of nothing", "device: *name\n",
                "1:9: '*name' is an alias of YAML, which Perch does not take; write the value itself, or quotes around a text"
            ),
            .init(
                "a tag", "device: !secret porch\n",
                "1:9: '!secret' is a tag of YAML, which Perch does not take; write the value itself, or quotes around a text"
            ),
            .init(
                "a text with \\0", "device: porch\nstorage: { a: { backend: directory, path: \"a\\0b\" } }\n",
                "2:43: a text cannot contain the character \\0"),
            .init(
                "a key that stands twice", "device: porch\nboard: auto\ndevice: yard\n",
                "3:1: 'device' is given twice; first in line 1"),
            .init("a key that is a list", "device: porch\n[a, b]: c\n", "2:1: expected a name; found [a, b]"),
            .init(
                "a control character", "device: porch\nboard: a\u{7}uto\n",
                "2:9: not valid YAML: a control character; remove it, or write it as an escape in double quotes"),
            .init(
                "text that commands a terminal", "device: porch\nboard: \"\\e[31mred\\n\"\n",
                "2:8: unknown board '\\u{1B}[31mred\\n'; there are auto, simulated, raspberry-pi-4, raspberry-pi-5, generic"
            ),
        ] as [WrongConfiguration])
    func yaml(wrong: WrongConfiguration) { #expect(Sample.messages(wrong.text.utf8) == wrong.messages) }

    @Test("A file that is not UTF-8 is told where it is not")
    func latin1() {
        let bytes = Array("device: porch\n# caf".utf8) + [0xE9, 0x0A]
        #expect(Sample.messages(bytes) == ["2:6: not UTF-8 text: save the file in the encoding UTF-8"])
    }

    @Test("A file that is too large is not read")
    func large() {
        #expect(
            Sample.messages([UInt8](repeating: 0x20, count: 1 << 20 + 1)) == [
                "1:1: the file has 1048577 bytes; at most 1048576 are read"
            ])
    }

    @Test("What is complete before bad YAML is checked all the same, and what comes after is not guessed at")
    func cut() {
        let source = """
            device: porch
            bord: auto
            devices:
              motion: { driver: motion-senser, pin: GPIO17 }
              bell: { driver: motion-sensor, pin: GPIO27, warm-up: 60 }
              sign: { driver: ht16k33, address: 0x78 }
              arm: { driver: servo, pwm: PWM0 }
            rules:
              - { when: bel.started, do: sign.clear }
              - { when: bell.started, do: sign.clear }
              - { when: bell.pressed, do: arm.wiggle
            storage: {}
            """
        #expect(
            Sample.messages(source.utf8) == [
                "2:1: unknown key 'bord'; did you mean 'board'?",
                "4:21: unknown driver 'motion-senser'; did you mean 'motion-sensor'?",
                "5:56: warm-up: expected a duration from 0s to 10min, such as 60s; found '60'",
                "6:37: address: expected a 7-bit I2C address from 0x08 to 0x77, such as 0x70; found '0x78'",
                "9:13: unknown device 'bel'; did you mean 'bell'?",
                "12:8: not valid YAML: a ',' or a '}' is missing before this (the '{' is in line 11)",
            ])
    }

    @Test("Nesting ends at a level, in every style", arguments: [("[", 33), ("{a: ", 126), ("- ", 65), ("? ", 65)])
    func deep(opening: String, column: Int) {
        let text = String(repeating: opening, count: 200_000)
        #expect(Sample.messages(text.utf8) == ["1:\(column): nested deeper than 32 levels"])
    }

    @Test("A file that is wrong throughout is not repeated in full")
    func many() {
        let text = "device: porch\n" + (1...1000).map { "key\($0): 1\n" }.joined()
        let error = Sample.error(text.utf8)
        #expect(error?.diagnostics.count == 100)
        #expect(error?.description.hasSuffix("\n… and 900 more") == true)
    }
}
