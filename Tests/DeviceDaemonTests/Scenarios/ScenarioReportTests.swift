import Testing

@testable import DeviceDaemon

@Suite("Reports of scenarios")
struct ScenarioReportTests {
    private static let report = ScenarioReport(
        file: "a.yaml",
        cases: [
            .init(
                name: "one & two # three", position: SourcePosition(line: 4, column: 5), seeds: 1, failedSeeds: [],
                failures: [], time: .milliseconds(12)),
            .init(
                name: "bad", position: SourcePosition(line: 9, column: 5), seeds: 100, failedSeeds: [3, 5],
                failures: ["a.yaml:9:1: expected <x>; it was \"\u{7}\"\n  trace:"], time: .milliseconds(1500)),
        ],
        notes: ["rule 'x' fired nowhere"])

    @Test("As text")
    func text() {
        #expect(
            ScenarioReport.text(of: [Self.report]) == """
                a.yaml
                  ok   one & two # three
                  FAIL bad (fails with 2 of 100 seeds: 3, 5; below, with 3)
                       a.yaml:9:1: expected <x>; it was "\u{7}"
                         trace:
                  note: rule 'x' fired nowhere
                2 scenarios, 1 failed
                """)
    }

    @Test("As TAP")
    func tap() {
        #expect(
            ScenarioReport.tap(of: [Self.report]) == """
                TAP version 13
                1..2
                ok 1 - a.yaml: one & two \\# three
                not ok 2 - a.yaml: bad (fails with 2 of 100 seeds: 3, 5; below, with 3)
                  ---
                  message: |
                    a.yaml:9:1: expected <x>; it was "\u{7}"
                      trace:
                  ...
                # rule 'x' fired nowhere
                """)
    }

    @Test("As JUnit's XML, with nothing in it that XML has no place for")
    func junit() {
        let name = "bad (fails with 2 of 100 seeds: 3, 5; below, with 3)"
        let message = "a.yaml:9:1: expected &lt;x&gt;; it was &quot;\u{FFFD}&quot;"
        #expect(
            ScenarioReport.junit(of: [Self.report]) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                  <testsuite name="a.yaml" tests="2" failures="1">
                    <testcase name="one &amp; two # three" classname="a.yaml" file="a.yaml" line="4" time="0.012"/>
                    <testcase name="\(name)" classname="a.yaml" file="a.yaml" line="9" time="1.500">
                      <failure message="\(message)">\(message)&#10;  trace:</failure>
                    </testcase>
                    <system-out>rule 'x' fired nowhere</system-out>
                  </testsuite>
                </testsuites>
                """)
    }
}
