import DriverTemplate
import TestSupport
import Testing

/// What is made; that it builds and passes is in `make test-new-driver`.
@Suite("A package for a driver of one's own")
struct NewDriverTests {
    @Test(
        "A name of words becomes a type's, and a chip's keeps its capitals",
        arguments: [
            ("lamp", "Lamp"), ("soil-sensor", "SoilSensor"), ("tmp102", "TMP102"), ("my-bme280-pair", "MyBME280Pair"),
            ("x", "X"),
        ])
    func names(name: String, typeName: String) throws { #expect(try DriverTemplate(name: name).typeName == typeName) }

    @Test("The files are the example's under the new name, which is left nowhere")
    func files() throws {
        let files = try DriverTemplate(name: "soil-sensor").files(perch: .path("/home/me/per\"ch"))
        #expect(
            files.map(\.path).sorted() == [
                ".gitignore", ".swift-format", "Package.swift", "README.md", "Sources/SoilSensorDaemon/main.swift",
                "Sources/SoilSensorDriver/SoilSensor.swift", "Sources/SoilSensorModel/SoilSensorPart.swift",
                "Tests/SoilSensorDriverTests/SoilSensorRulesTests.swift",
                "Tests/SoilSensorDriverTests/SoilSensorScenarioTests.swift",
                "Tests/SoilSensorDriverTests/SoilSensorTests.swift", "perch.scenarios.yaml", "perch.yaml",
            ])
        for file in files {
            #expect(!file.content.isEmpty)
            #expect(!file.content.lowercased().contains("tmp102"), "\(file.path)")
            #expect(!file.content.contains("PERCH"), "\(file.path)")
        }
        let manifest = try #require(files.first { $0.path == "Package.swift" }).content
        #expect(manifest.contains(#"dependencies: [.package(name: "perch", path: "/home/me/per\"ch")],"#))
        #expect(manifest.contains(#".product(name: $0, package: "perch")"#))
    }

    @Test(
        "Perch at an address goes by the name that the package manager gives it",
        arguments: [
            ("https://example.org/me/perch.git", "perch"), ("https://example.org/Perch-fork", "perch-fork"),
            ("git@example.org:me/perch2.git", "perch2"),
        ])
    func address(url: String, identity: String) throws {
        let files = try DriverTemplate(name: "lamp").files(perch: .url(url))
        let manifest = try #require(files.first { $0.path == "Package.swift" }).content
        #expect(manifest.contains(".package(url: \"\(url)\", branch: \"main\")"))
        #expect(manifest.contains("package: \"\(identity)\""))
    }

    @Test("The verb writes them into a new folder, on the Perch that it was built from")
    func verb() throws {
        let folder = try TemporaryDirectory()
        let (text, code) = try CommandLineTests.perch("new", "driver", "soil-sensor", "--path", "\(folder.path)/a/b")
        #expect(code == 0, "\(text)")
        #expect(text.contains("swift run soil-sensor-daemon perch.yaml"))
        #expect(try folder.tree().contains("a/b/Sources/SoilSensorDriver/SoilSensor.swift"))
        #expect(try folder.tree().count == 12)
    }
}
