import DeviceDaemon
import DeviceKit
import DeviceRuntime
import SimulatedPeripherals
import TestSupport
import Testing

@Suite("The README and docs/")
struct ReadmeTests {
    @Test("Its driver is the one that is compiled and tested here")
    func code() throws {
        let readme = String(decoding: try Files.read("\(projectFolder)/README.md"), as: UTF8.self)
        let path = "\(projectFolder)/Tests/DeviceDaemonTests/Runtime/ReadmeDriver.swift"
        let driver = String(decoding: try Files.read(path), as: UTF8.self)
        #expect(readme.contains("```swift\n\(driver)```"))
    }

    @Test("The driver, model and tests of docs/writing-a-driver.md are those that are compiled, under 150 lines")
    func example() throws {
        let page = String(decoding: try Files.read("\(projectFolder)/docs/writing-a-driver.md"), as: UTF8.self)
        var lines = 0
        for name in [
            "Sources/TMP102Model/TMP102Part", "Sources/TMP102Driver/TMP102", "Tests/TMP102DriverTests/TMP102Tests",
        ] {
            let path = "\(projectFolder)/Templates/Driver/Package/\(name).swift"
            let source = String(decoding: try Files.read(path), as: UTF8.self)
            #expect(page.contains("```swift\n\(source)```"), "\(name)")
            lines += source.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
        #expect(lines < 150)
    }

    @Test("The configuration that docs/configuration.md shows is valid")
    func configuration() throws {
        let page = String(decoding: try Files.read("\(projectFolder)/docs/configuration.md"), as: UTF8.self)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "```yaml"))
        let end = try #require(lines[(begin + 1)...].firstIndex(of: "```"))
        let source = lines[(begin + 1)..<end].joined(separator: "\n")
        _ = try Configuration.read(
            source.utf8, file: "docs/configuration.md", drivers: standardDrivers,
            backends: standardStorage.map(\.description), boards: Configuration.boards)
    }

    @Test("Its driver lights the lamp, and leaves it dark at the end")
    func driver() throws {
        let source = """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27 }
              lamp: { driver: lamp, pin: GPIO5 }
            rules:
              - { when: bell.pressed, do: lamp.on }
              - { when: bell.released, do: lamp.off }
            """
        let configuration = try Configuration.read(
            source.utf8, file: "test.yaml", drivers: standardDrivers + [Lamp.driver], backends: [],
            boards: Configuration.boards)
        let trace = try SimulationTests.run(configuration, for: .seconds(3600), in: try TemporaryDirectory())
        let levels = trace.filter { $0.contains("  GPIO5 ") }.compactMap { $0.split(separator: " ").last }
        #expect(levels.count >= 2)
        #expect(levels.enumerated().allSatisfy { $0.element == ($0.offset.isMultiple(of: 2) ? "high" : "low") })
        #expect(levels.last == "low")
    }

    @Test("The daemon of your own that it shows can be made")
    func daemon() {
        let process = DaemonProcess(
            configurationPath: "/nonexistent/perch.yaml", drivers: standardDrivers + [Lamp.driver],
            stateDirectory: "/var/lib/perch", logger: Logger(TextLogSink()))
        #expect(throws: SystemError.self) { try process.run() }
    }
}
