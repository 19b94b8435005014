import DeviceKit
import DeviceRuntime
import DriverTesting
import FoundationEssentials
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

@Suite("Every driver keeps the rules of docs/driver-style.md")
struct DriverRulesTests {
    // Not in the attribute: string interpolation there crashes the compiler of Swift 6.0.3.
    static let folders = ((try? FileManager.default.contentsOfDirectory(atPath: "\(projectFolder)/drivers")) ?? [])
        .sorted()

    @Test("Its folder has sources that keep them, a README and tests", arguments: folders)
    func folder(name: String) throws {
        let folder = "\(projectFolder)/drivers/\(name)"
        let problems = try DriverRules.problems(inSources: folder)
        #expect(problems == [])
        let text = String(decoding: try Files.read("\(folder)/README.md"), as: UTF8.self)
        #expect(text.hasPrefix("# "), "\(name): the README begins with what the part is called")
        var tests = 0
        try Files.forEachEntry(of: "\(folder)/Tests") { tests += $0.hasSuffix(".swift") ? 1 : 0 }
        #expect(tests > 0)
    }

    @Test("There are folders") func existence() { #expect(Self.folders.count >= 5) }

    @Test("Its README names everything that a configuration may say", arguments: standardDrivers.map(\.name))
    func readme(name: String) throws {
        let driver = try #require(standardDrivers.first { $0.name == name })
        let problems = try DriverRules.problems(of: driver, readme: "\(try Self.folder(of: driver))/README.md")
        #expect(problems == [])
    }

    @Test(
        "The README's examples are valid, and their devices give back what they have opened, run again, and do the same",
        arguments: standardDrivers.map(\.name))
    func running(name: String) async throws {
        let driver = try #require(standardDrivers.first { $0.name == name })
        let configuration = try Self.examples(of: driver)
        for device in configuration.devices where device.driver.name == name {
            let problems = try await DriverRules.problems(running: driver, device.options) { board, options in
                try standardParts.first { $0.driver == name }?.connect(to: board, options)
            }
            #expect(problems == [], "\(device.name)")
        }
    }

    /// A folder may have several drivers for one kind of part: servo, continuous-servo.
    private static func folder(of driver: Driver) throws -> String {
        let plain = driver.name.filter { $0 != "-" }
        let folder = try #require(
            folders.first { $0.lowercased() == plain } ?? folders.first { plain.hasSuffix($0.lowercased()) })
        return "\(projectFolder)/drivers/\(folder)"
    }

    /// The devices of the README's examples, which are indented.
    private static func examples(of driver: Driver) throws -> Configuration {
        let text = String(decoding: try Files.read("\(try folder(of: driver))/README.md"), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains("{ driver: ") }
        let source = "device: test\ndevices:\n\(lines.joined(separator: "\n"))\n"
        return try Configuration.read(
            source.utf8, file: "README.md", drivers: standardDrivers, backends: [], boards: Configuration.boards)
    }
}
