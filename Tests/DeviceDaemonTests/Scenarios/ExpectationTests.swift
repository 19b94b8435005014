import DeviceKit
import Testing

@testable import DeviceDaemon

@Suite("An expectation's state machine")
struct ExpectationTests {
    typealias Verdict = ExpectationStateMachine.Verdict

    private static func machine(
        _ mode: ScenarioExpectation.Mode, from start: Int, to end: Int, condition: ValueCondition? = nil
    ) -> ExpectationStateMachine {
        let pattern = OccurrencePattern(kind: .rule("greet"), fields: [], file: nil)
        let subject =
            condition.map { ScenarioExpectation.Subject.condition(.health(device: "sign"), $0) } ?? .occurrence(pattern)
        return ExpectationStateMachine(
            ScenarioExpectation(
                subject: subject, mode: mode, start: .seconds(start), end: .seconds(end),
                position: SourcePosition(line: 1, column: 1), window: ""))
    }

    /// What the machine ends with when it happens at these times.
    private static func verdict(_ mode: ScenarioExpectation.Mode, _ times: [Int]) -> Verdict? {
        var machine = machine(mode, from: 10, to: 20)
        for time in times { _ = machine.happened(at: .seconds(time)) }
        _ = machine.ended()
        return machine.verdict
    }

    @Test(
        "What has to happen does within its time, and both ends belong to it",
        arguments: [([10], true), ([20], true), ([15, 16], true), ([9], false), ([21], false), ([], false)])
    func once(times: [Int], isMet: Bool) {
        #expect((Self.verdict(.expect(count: nil), times) == .met) == isMet)
        #expect((Self.verdict(.never, times) == .met) == !isMet)
    }

    @Test(
        "A count is of what happens within the time",
        arguments: [
            ([10, 15, 20], true), ([10, 15], false), ([10, 11, 12, 13], false), ([9, 10, 11, 12, 21], true),
        ])
    func counts(times: [Int], isMet: Bool) {
        #expect((Self.verdict(.expect(count: .equal("3")), times) == .met) == isMet)
    }

    @Test("A verdict comes as soon as it is certain")
    func promptness() {
        var expected = Self.machine(.expect(count: nil), from: 10, to: 20)
        #expect(expected.happened(at: .seconds(12)) == .met)
        var forbidden = Self.machine(.never, from: 10, to: 20)
        #expect(forbidden.happened(at: .seconds(12)) == .failed("it came at 00:00:12.000000"))
        #expect(forbidden.happened(at: .seconds(13)) == nil)
        #expect(forbidden.ended() == nil)
    }

    @Test("What comes too late is told apart from what does not come")
    func lateness() {
        var machine = Self.machine(.expect(count: nil), from: 10, to: 20)
        _ = machine.ended()
        #expect(machine.reason == "it did not come")
        #expect(machine.happened(at: .seconds(21)) == nil)
        _ = machine.happened(at: .seconds(22))
        #expect(machine.reason == "it did not come; it came at 00:00:21.000000, too late")
    }

    @Test("What is looked at is judged by each look, and what was seen is told")
    func looks() {
        let failing = ValueCondition.equal("failing")
        var expected = Self.machine(.expect(count: nil), from: 10, to: 20, condition: failing)
        #expect(expected.saw(.text("failing"), at: .seconds(9)) == nil)
        #expect(expected.saw(.text("healthy"), at: .seconds(10)) == nil)
        #expect(expected.saw(nil, at: .seconds(11)) == nil)
        #expect(
            expected.ended()
                == .failed(
                    "it was 'healthy' from 00:00:10.000000 on, then nothing that can be seen from 00:00:11.000000 on"))
        var always = Self.machine(.always, from: 10, to: 20, condition: failing)
        #expect(always.saw(.text("failing"), at: .seconds(10)) == nil)
        #expect(always.saw(.text("healthy"), at: .seconds(12)) == .failed("it was 'healthy' at 00:00:12.000000"))
        var never = Self.machine(.never, from: 10, to: 20, condition: failing)
        #expect(never.saw(.text("healthy"), at: .seconds(12)) == nil)
        #expect(never.saw(.text("failing"), at: .seconds(21)) == nil)
        #expect(never.ended() == .met)
    }
}
