import Testing

@testable import DeviceDaemon

@Suite("What is said of a wrong file of scenarios")
struct ScenarioMessageTests {
    @Test(
        "A step that is wrong is told where, and how it would be right",
        arguments: [
            ("- { at: 90, do: bell.press }", "5:15: at: expected a duration from 0s to 365d, such as 60s; found '90'"),
            ("- { at: 9s, doo: bell.press }", "5:19: unknown key 'doo' of a step; did you mean 'do'?"),
            (
                "- { at: 9s }",
                "5:9: the step does nothing: it needs one of do, fault, expect, never, always"
            ),
            ("- { do: bell.pres }", "5:15: unknown stimulus 'pres' of bell; did you mean 'press'?"),
            ("- { do: bel.press }", "5:15: unknown device 'bel'; did you mean 'bell'?"),
            ("- { do: sign.push }", "5:15: unknown stimulus 'push' of sign; there are press, glitch"),
            (
                "- { do: { bell.press: { fro: 3s } } }",
                "5:31: unknown argument 'fro' of stimulus bell.press; did you mean 'for'?"
            ),
            ("- { do: { GPIO5: hi } }", "5:17: GPIO5: expected high, low or let-go; found 'hi'"),
            ("- { do: { PWM0: high } }", "5:17: PWM0: nobody but the program drives a PWM channel"),
            (
                "- { do: { I2C1 0x48: 3 } }",
                "5:17: I2C1 0x48: expected registers and bytes, such as { 0x00: [0x1A, 0x80] }; found '3'"
            ),
            ("- { fault: { unplug: sgin } }", "5:28: unknown part or wire 'sgin'; did you mean 'sign'?"),
            ("- { fault: { unplig: sign } }", "5:20: unknown fault 'unplig'; did you mean 'unplug'?"),
            (
                "- { fault: { unplug: sign, fro: 3s } }",
                "5:34: unknown option 'fro' of fault unplug; did you mean 'for'?"
            ),
            ("- { fault: { nack: bell } }", "5:26: 'bell' has no I2C address, which nack concerns"),
            ("- { fault: { storage: disc, answer: 503 } }", "5:29: unknown storage 'disc'; there is only photos"),
            ("- { expect: { evnt: bell.pressed } }", "5:21: unknown key 'evnt'; did you mean 'event'?"),
            ("- { expect: { event: bell.presed } }", "5:28: unknown event 'presed' of bell; did you mean 'pressed'?"),
            ("- { expect: { rule: gret } }", "5:27: unknown rule 'gret'; did you mean 'greet'?"),
            ("- { expect: { command: sign.shwo } }", "5:30: unknown command 'shwo' of sign; did you mean 'show'?"),
            (
                "- { expect: { sign.txt: HI } }",
                "5:21: unknown observation or state 'txt' of sign; did you mean 'text'?"
            ),
            (
                "- { expect: { sign.health: ok } }",
                "5:34: sign.health: expected one of starting, healthy, faulty, failing; found 'ok'"
            ),
            ("- { expect: { arm.moving: slowly } }", "5:33: arm.moving: expected yes or no; found 'slowly'"),
            ("- { expect: { GPIO5: hi } }", "5:28: GPIO5: expected one of high, low; found 'hi'"),
            (
                "- { expect: { log: x, level: eror } }",
                "5:36: level: expected one of debug, error, info, notice, warning; found 'eror'"
            ),
            ("- { expect: { sign.text: { form: 3 } } }", "5:34: unknown key 'form' of a value; did you mean 'from'?"),
            ("- { expect: { rule: greet }, until: 9s }", "5:36: 'until' needs 'never' or 'always' beside it"),
            ("- { never: { rule: greet }, within: 9s }", "5:35: 'within' needs 'expect' beside it"),
            (
                "- { always: { rule: greet } }",
                "5:19: 'always' is for what can be looked at, such as { sign.text: HEY! }"
            ),
            ("- { at: 1s, after: 1s, do: bell.press }", "5:19: 'at' and 'after' exclude each other"),
            ("- { do: bell.press, every: 1s }", "5:27: 'every' needs 'times' beside it: how often in all"),
            ("- { at: 9s, never: { rule: greet }, until: 5s }", "5:50: until: this is before the step, at 9s"),
            (
                "- { expect: { sign.text: HI }, count: 2 }",
                "5:21: 'count' is for what happens, such as { event: bell.pressed }"
            ),
            ("- bell.press", "5:9: expected a step, such as { at: 90s, do: bell.press }; found 'bell.press'"),
        ])
    func steps(step: String, message: String) {
        let messages = ScenarioSample.messages(ScenarioSample.scenario(step))
        #expect(messages.count == 1, "\(messages)")
        #expect(messages.first?.hasPrefix(message) == true, "\(messages)")
    }

    @Test("All that is wrong is told at once, in order")
    func all() {
        let text = """
            configuration: perch.yaml
            every-rule-fires: perhaps
            scenarios:
              - name: one
                sed: 4
                steps:
                  - { at: 1s, do: bell.pess }
              - steps: []
              - name: one
                duration: 1s
                steps:
                  - { at: 5s, do: bell.press }
            """
        let messages = ScenarioSample.messages(text)
        #expect(
            messages == [
                "2:19: every-rule-fires: expected one of no, yes; found 'perhaps'",
                "5:5: unknown key 'sed' of a scenario; did you mean 'seed'?",
                "7:23: unknown stimulus 'pess' of bell; did you mean 'press'?",
                "8:5: 'name' of the scenario is missing: what it is about",
                "9:5: there is a scenario 'one' already (line 4)",
                "12:9: this reaches to 5s, beyond the scenario's duration of 1s",
            ])
    }

    @Test(
        "Files without content or scenarios say what they lack",
        arguments: [
            ("", "1:1: the file is empty; it needs a list of 'scenarios'"),
            ("configuration: perch.yaml\n", "1:1: 'scenarios' is missing: a list, each with 'name' and 'steps'"),
            (
                "scenarios: []\n",
                "1:12: expected a list of scenarios, each beginning with '- name: …'; found an empty list"
            ),
            (
                "scenarios:\n  - { name: x, steps: [] }\n",
                "2:5: 'configuration' is missing, here or for the whole file: 'configuration: perch.yaml'"
            ),
            (
                "configuration: perch.yaml\nscenarios:\n  - name: x\n",
                "3:5: 'steps' of the scenario is missing: a list, such as '- at: 90s'"
            ),
        ])
    func files(text: String, message: String) {
        #expect(ScenarioSample.messages(text) == [message])
    }

    @Test("What is wrong with the configuration is told with its own place")
    func configuration() {
        do {
            _ = try ScenarioSample.read(
                ScenarioSample.scenario("- { do: bell.press }"), configuration: "device: porch\nrulse: []\n")
            Issue.record("it was read")
        } catch {
            #expect(
                "\(error)" == """
                    test.scenarios.yaml:1:16: the configuration 'perch.yaml' is wrong:
                    perch.yaml:2:1: unknown key 'rulse'; did you mean 'rules'?
                    """)
        }
    }
}
