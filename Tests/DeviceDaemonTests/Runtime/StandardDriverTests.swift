import DeviceDaemon
import DeviceKit
import DeviceRuntime
import FoundationEssentials
import Testing

@Suite("The drivers that come with Perch")
struct StandardDriverTests {
    static let tables = standardDrivers.flatMap { driver in
        driver.options.map { (driver.name, $0) } + driver.commands.flatMap { $0.arguments.map { (driver.name, $0) } }
    }

    @Test("Every default is a value that the option takes", arguments: tables)
    func defaults(driver: String, option: OptionDescription) {
        if let text = option.defaultText {
            #expect(option.parse(.scalar(text)) != nil, "\(driver): \(option.name): \(text)")
        }
    }

    @Test(
        "Every driver's README names its options, events with their fields, states and commands",
        arguments: standardDrivers.map(\.name))
    func readme(name: String) throws {
        let driver = try #require(standardDrivers.first { $0.name == name })
        let folders = try FileManager.default.contentsOfDirectory(atPath: "\(projectFolder)/drivers")
        let plain = name.filter { $0 != "-" }
        // A folder may have several drivers for one kind of part: servo, continuous-servo.
        let folder = try #require(
            folders.first { $0.lowercased() == plain } ?? folders.first { plain.hasSuffix($0.lowercased()) })
        let text = String(decoding: try Files.read("\(projectFolder)/drivers/\(folder)/README.md"), as: UTF8.self)
        let words =
            driver.options.map(\.name) + driver.events.flatMap { [$0.name] + $0.fields.map(\.name) }
            + driver.states.map(\.name) + driver.commands.map(\.name)
        for word in words { #expect(text.contains("`\(word)"), "\(word) is missing in drivers/\(folder)/README.md") }
    }
}
