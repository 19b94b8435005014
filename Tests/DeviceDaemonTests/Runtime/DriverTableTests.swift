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
            // What holds on every board is in a folder of its own.
            where file.hasSuffix("Tests.swift") || file.hasPrefix("Conformance/") && file.hasSuffix(".swift") {
                sources += String(decoding: try Files.read("\(projectFolder)/\(folder)/\(file)"), as: UTF8.self)
            }
        }
        return sources
    }

    @Test("Every driver has a section, in which its folder is named")
    func sections() throws {
        let page = String(decoding: try Files.read("\(projectFolder)/docs/drivers.md"), as: UTF8.self)
        for folder in try FileManager.default.contentsOfDirectory(atPath: "\(projectFolder)/drivers") {
            #expect(page.contains("`drivers/\(folder)`"), "\(folder) is missing")
        }
    }

    @Test("Half of the drivers have fewer than 150 lines, without their state machines; the example fewer than 100")
    func sizes() throws {
        func lines(_ path: String) throws -> Int { try Files.read("\(projectFolder)/\(path)").count { $0 == 0x0A } }
        let sizes = try FileManager.default.contentsOfDirectory(atPath: "\(projectFolder)/drivers").map { part in
            // The one whose device reads any sensor of the kernel.
            try lines("drivers/\(part)/\(part == "KernelSensor" ? "KernelSensorDevice" : part).swift")
        }.sorted()
        #expect(sizes[sizes.count / 2] < 150)
        let example = try lines("Templates/Driver/Package/Sources/TMP102Driver/TMP102.swift")
        #expect(example < 100)
    }

    @Test("Every feature and every fault is backed by a test of the name that the table gives")
    func names() throws {
        let page = String(decoding: try Files.read("\(projectFolder)/docs/drivers.md"), as: UTF8.self)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let cells = rows.map { $0.split(separator: "|").map { $0.trimmingPrefix { $0 == " " } } }
        let names = cells.filter { $0.count > 1 && $0[1] != "shown by " }.map { $0[1].dropLast() }
        #expect(names.count > 200)
        let sources = try Self.testSources()
        for name in names { #expect(sources.contains("\"\(name)\""), "no test is called '\(name)'") }
    }
}
