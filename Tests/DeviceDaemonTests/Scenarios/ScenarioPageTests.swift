import DeviceKit
import DeviceRuntime
import Testing

@testable import DeviceDaemon

@Suite("docs/scenarios.md")
struct ScenarioPageTests {
    private static func page() throws -> String {
        String(decoding: try Files.read("\(projectFolder)/docs/scenarios.md"), as: UTF8.self)
    }

    /// The table of faults as the page has to have it.
    private static var faults: String {
        let rows = standardFaults.map { kind in
            let options = kind.options.enumerated().map { index, option in
                let name = index == 0 ? "" : "`\(option.name)`: "
                return name + option.summary + (option.defaultText.map { " (\($0))" } ?? "")
            }
            return "| `\(kind.name)` | \(kind.summary) | \(options.joined(separator: "; ")) |"
        }
        return (["| fault | what goes wrong | options |", "|---|---|---|"] + rows).joined(separator: "\n")
    }

    @Test("Its table of faults is that of the program")
    func table() throws {
        let isThere = try Self.page().contains("\n\(Self.faults)\n")
        #expect(isThere, "docs/scenarios.md has to have:\n\(Self.faults)")
    }

    @Test("Its example can be read, and what is said to fail in it does")
    func example() throws {
        let lines = try Self.page().split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "```yaml"))
        let end = try #require(lines[(begin + 1)...].firstIndex(of: "```"))
        let text = lines[(begin + 1)..<end].joined(separator: "\n")
        let good = """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27 }
              sign: { driver: ht16k33 }
            rules:
              - { name: greet, when: bell.pressed, do: [ sign.show: "HEY!" ] }
            """
        let report = try ScenarioSample.read(text, configuration: good).run()
        #expect(!report.isFailure, "\(ScenarioReport.text(of: [report]))")
        let deaf = good.replacing("pin: GPIO27", with: "pin: GPIO27, long-press: 1s")
            .replacing("bell.pressed", with: "bell.long-pressed")
        let bad = try ScenarioSample.read(text, configuration: deaf).run()
        let said = ScenarioReport.text(of: [bad])
        #expect(said.contains("it waits for bell.long-pressed, which did not come"), "\(said)")
    }
}
