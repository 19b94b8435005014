import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@testable import DeviceDaemon

@Suite("Running scenarios")
struct ScenarioRunTests {
    @Test(
        "What comes about as expected is no failure",
        arguments: [
            "- { at: 5s, do: { bell.press: 80ms }, within: 1s, expect: { event: bell.pressed } }",
            "- { at: 5s, do: { bell.press: 80ms }, within: 1s, expect: { event: bell.released, with: { seconds: { from: 0.07, to: 0.1 } } } }",
            "- { at: 5s, do: bell.press, within: 1s, expect: { sign.text: HI } }",
            "- { at: 5s, do: bell.press, within: 1s, expect: { rule: wave } }",
            "- { at: 5s, do: bell.press, within: 1s, expect: { command: sign.show, with: { text: HI } } }",
            "- { at: 5s, do: bell.press, within: 2s, expect: { arm.moving: yes } }",
            "- { at: 5s, do: bell.press, within: 2s, expect: { PWM0: 2ms } }",
            "- { at: 5s, do: bell.press, within: 1s, expect: { record: bell.pressed, at: photos } }",
            "- { at: 5s, do: bell.press, within: 1s, expect: { log: pressed, from: bell, level: debug } }",
            "- { at: 5s, do: { GPIO27: low }, expect: { GPIO27: low } }",
            "- { at: 5s, do: { GPIO27: low } }\n- { after: 1s, do: { GPIO27: let-go }, expect: { GPIO27: high } }",
            "- { at: 5s, do: bell.press, every: 1s, times: 3 }\n- { expect: { event: bell.pressed }, count: 3 }",
            "- { never: { event: bell.pressed } }\n- { always: { sign.health: { not: failing } } }",
            "- { at: 0s, do: { GPIO27: low }, expect: { GPIO27: low } }\n- { at: 1s, expect: { bell.pressed: yes } }",
            "- { at: 5s, for: 1s, never: { event: bell.pressed } }\n- { at: 7s, do: bell.press }",
        ])
    func success(steps: String) throws {
        let failures = try ScenarioSample.failures(steps)
        #expect(failures.map(\.description) == [])
    }

    @Test(
        "What does not is told with its place, what was expected and what happened instead",
        arguments: [
            (
                "- { at: 5s, within: 1s, expect: { event: bell.pressed } }",
                "test.scenarios.yaml:5:39: expected the event bell.pressed, within 1s of 00:00:05.000000; it did not come"
            ),
            (
                "- { at: 5s, do: { bell.press: 3s }, within: 1s, expect: { event: bell.released } }",
                "it did not come; it came at 00:00:08.0"
            ),
            (
                "- { at: 5s, do: bell.press }\n- { at: 6s, expect: { sign.text: HO } }",
                "expected sign.text to be 'HO' at 00:00:06.000000; it was 'HI  '"
            ),
            (
                "- { at: 5s, do: bell.press, never: { rule: greet } }",
                "expected never the rule 'greet' to fire, from 00:00:05.000000 on; it came at 00:00:05.0"
            ),
            (
                "- { at: 5s, do: bell.press }\n- { always: { sign.text: \"\" } }",
                "expected sign.text always to be '', in the whole scenario; it was 'HI  ' at 00:00:05.0"
            ),
            (
                "- { at: 5s, do: bell.press }\n- { expect: { event: bell.pressed }, count: { from: 2 } }",
                "expected the event bell.pressed, at least 2 times, in the whole scenario; it came 1 time"
            ),
            (
                "- { at: 5s, fault: { hold: bell } }",
                "'hold bell' cannot be done; line GPIO27 is held by 'bell'; another process can have it only while the device has not"
            ),
        ])
    func failure(steps: String, text: String) throws {
        let failures = try ScenarioSample.failures(steps)
        #expect(failures.count == 1)
        #expect(failures.first?.message.contains(text) == true, "\(failures)")
    }

    @Test(
        "A failure names the rules that have to do with it, and says what they did",
        arguments: [
            (
                "- { at: 5s, within: 1s, expect: { sign.text: HI } }",
                "rule 'greet' (perch.yaml:7) did not fire: it waits for bell.pressed, which did not come"
            ),
            (
                "- { at: 5s, do: bell.press, within: 1s, expect: { sign.text: HO } }",
                "rule 'greet' (perch.yaml:7) fired at 00:00:05.0"
            ),
            (
                "- { at: 5s, do: { bell.press: 80ms } }\n- { at: 5300ms, do: bell.press, within: 400ms, expect: { rule: greet } }",
                "rule 'greet' (perch.yaml:7) did not fire: bell.pressed came at 00:00:05.3"
            ),
        ])
    func rules(steps: String, text: String) throws {
        let failure = try #require(try ScenarioSample.failures(steps).first)
        #expect(failure.rules.contains { $0.contains(text) }, "\(failure)")
    }

    @Test("A failure shows the trace around it, and not all of a long run")
    func trace() throws {
        let failure = try #require(
            try ScenarioSample.failures(
                "- { at: 5s, do: bell.press, every: 1s, times: 500 }\n- { at: 5s, within: 500s, expect: { sign.text: HO } }"
            ).first)
        #expect(failure.trace.count == 25)
        #expect(failure.trace.first == "…")
        #expect(failure.trace.last?.hasPrefix("00:08:2") == true)
    }

    @Test("The same seed gives the same run; faults and retries too")
    func determinism() throws {
        let steps = """
            - { at: 1s, fault: { network: down, for: 1min } }
            - { at: 1s, fault: { nack: sign, nth: 2, times: 3 } }
            - { at: 2s, do: bell.press, every: 7s, times: 20 }
            - { at: 61s, within: 10min, expect: { log: uploads work again } }
            """
        let file = try ScenarioSample.read(ScenarioSample.scenario(steps))
        let scenario = try #require(file.scenarios.first)
        let traces = try ([1, 1, 2] as [UInt64]).map { seed in
            let trace = Protected<[String]>([])
            let result = try file.run(scenario, seed: seed) { entry in trace.withLock { $0.append(entry.description) } }
            #expect(result.failures.map(\.description) == [])
            return trace.withLock { $0 }
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0] != traces[2])
    }

    @Test("10,000 presses, each with a bounce of its own, are 10,000 presses and releases")
    func bouncing() throws {
        let source = "device: porch\ndevices: { bell: { driver: button, pin: GPIO27 } }\n"
        let steps = """
            - { at: 1s, do: { bell.press: 80ms }, every: 250ms, times: 10000 }
            - { expect: { event: bell.pressed }, count: 10000 }
            - { expect: { event: bell.released }, count: 10000 }
            """
        let failures = try ScenarioSample.failures(steps, configuration: source)
        #expect(failures.map(\.message) == [])
    }

    @Test("Visitors come when they are asked for")
    func visitors() throws {
        let text = """
            configuration: perch.yaml
            scenarios:
              - name: a day
                visitors: 10min
                duration: 1d
                steps:
                  - { expect: { event: bell.pressed }, count: { from: 50, to: 150 } }
            """
        let file = try ScenarioSample.read(text)
        let report = try file.run()
        #expect(report.cases.flatMap(\.failures) == [])
    }

    @Test("A rule that fires in no scenario is named: as a note, or as a failure where the file wants it so")
    func silentRules() throws {
        let text = ScenarioSample.scenario(
            "- { at: 5s, do: { bell.press: 1h } }\n- { within: 1s, expect: { rule: greet } }")
        let note = "perch.yaml:8: rule 'wave' fired in no scenario of test.scenarios.yaml"
        let lenient = try ScenarioSample.read(text).run()
        #expect(!lenient.isFailure)
        #expect(lenient.notes == [note])
        let strict = try ScenarioSample.read("every-rule-fires: yes\n" + text).run()
        #expect(strict.isFailure)
        #expect(strict.cases.last?.failures == [note])
        // Of some of the scenarios nothing follows.
        let filtered = try ScenarioSample.read("every-rule-fires: yes\n" + text).run(filter: "nothing")
        #expect(filtered.cases.isEmpty)
    }

    @Test("An I2C part that has no model reads as a scenario says")
    func rawContents() throws {
        let file = try ScenarioSample.read(ScenarioSample.scenario("- { do: { I2C1 0x48: { 0x10: [0x1A, 128] } } }"))
        guard case .stimulus(let stimulus) = file.scenarios.first?.steps.first?.actions.first else {
            Issue.record("no stimulus")
            return
        }
        let loop = try EventLoop(time: .virtual)
        try loop.run {
            let board = SimulatedBoard(loop: loop)
            let world = try SimulatedWorld(
                Configuration(name: "x", board: "auto", devices: [], rules: [], storage: []), on: board)
            try StimulusPerformer(world: world).perform(stimulus)
            let address = try #require(OptionKind.i2cAddress.parse(.scalar("0x48")))
            let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
            let bytes = try await device.writeRead([0x10], count: 2)
            #expect(bytes == [0x1A, 0x80])
            device.close()
        }
    }
}
