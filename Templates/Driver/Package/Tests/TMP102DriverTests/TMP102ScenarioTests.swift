import DeviceDaemon
import TMP102Driver
import TMP102Model
import Testing

/// The whole daemon with perch.yaml: as `perch test` runs scenarios, with the driver of this package beside Perch's own.
@Suite("Scenarios with TMP102")
struct TMP102ScenarioTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test("What perch.scenarios.yaml expects comes to pass")
    func scenarios() throws {
        let file = try ScenarioFile.read(
            "\(Self.package)/perch.scenarios.yaml", drivers: standardDrivers + [TMP102.driver],
            models: standardParts + [TMP102Part.model])
        let report = try file.run()
        #expect(!report.isFailure, "\(ScenarioReport.text(of: [report]))")
    }
}
