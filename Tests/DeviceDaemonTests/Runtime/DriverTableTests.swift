import DeviceRuntime
import FoundationEssentials
import Testing

@Suite("docs/drivers.md")
struct DriverTableTests {
    /// The source of every test.
    private static func testSources() throws -> String {
        var sources = ""
        for folder in ["Tests", "drivers"] {
            for file in try FileManager.default.subpathsOfDirectory(atPath: "\(projectFolder)/\(folder)")
            where file.hasSuffix("Tests.swift") {
                sources += String(decoding: try Files.read("\(projectFolder)/\(folder)/\(file)"), as: UTF8.self)
            }
        }
        return sources
    }

    @Test("Every feature is backed by a test of the name that the table gives")
    func names() throws {
        let page = String(decoding: try Files.read("\(projectFolder)/docs/drivers.md"), as: UTF8.self)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let cells = rows.map { $0.split(separator: "|").map { $0.trimmingPrefix { $0 == " " } } }
        let names = cells.filter { $0.count > 2 && $0[0] != "feature " }.map { $0[1].dropLast() }
        #expect(names.count > 40)
        let sources = try Self.testSources()
        for name in names { #expect(sources.contains("\"\(name)\""), "no test is called '\(name)'") }
    }
}
