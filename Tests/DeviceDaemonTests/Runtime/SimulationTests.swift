import DeviceDaemon
import DeviceKit
import DeviceRuntime
import SimulatedPeripherals
import TestSupport
import Testing

/// The folder of this checkout.
let projectFolder = #filePath.split(separator: "/").prefix { $0 != "Tests" }.reduce("") { "\($0)/\($1)" }

@Suite("Simulation of whole configurations")
struct SimulationTests {
    static func configuration(_ name: String) throws -> Configuration {
        try Configuration.read("\(projectFolder)/\(name)")
    }

    /// Runs it in a folder and returns the trace.
    static func run(
        _ configuration: Configuration, for duration: Duration, seed: UInt64 = 7, in folder: TemporaryDirectory
    ) throws -> [String] {
        let trace = Protected<[String]>([])
        let simulation = Simulation(configuration, duration: duration, seed: seed, directory: folder.path)
        _ = try simulation.run { entry in trace.withLock { $0.append(entry.description) } }
        return trace.withLock { $0 }
    }

    @Test("A ring at the doorbell shows the greeting, and each record and the picture arrive once")
    func doorbell() throws {
        let folder = try TemporaryDirectory()
        let trace = try Self.run(try Self.configuration("examples/doorbell.yaml"), for: .seconds(120), in: folder)
        let story = trace.filter { !$0.contains("  GPIO") && !$0.contains("  PWM") && !$0.contains("  I2C") }
        let steps = [
            "somebody walks past motion", "motion        started", "arm.sweep (cause: motion.started)",
            "somebody presses bell", "bell          pressed", "sign.show", "camera.capture", "glass shows HEY!",
            "picture of bell.pressed", "camera        captured", "motion        ended", "glass is dark",
        ]
        var rest = story[...]
        for step in steps {
            let place = try #require(rest.firstIndex { $0.contains(step) }, "'\(step)' does not follow in \(story)")
            rest = rest[(place + 1)...]
        }

        let arrived = try folder.tree().filter { $0.hasPrefix("photos/") }.map { $0.split(separator: "/").last ?? "" }
        #expect(
            arrived == [
                "00000001-motion.started.json", "00000002-arm.moved.json", "00000003-bell.pressed.json",
                "00000004-bell.released.json", "00000005-camera.captured.json", "00000005-camera.captured.png",
                "00000006-motion.ended.json",
            ])
        let picture = try #require(try folder.tree().first { $0.hasSuffix(".png") })
        #expect(try Files.read("\(folder.path)/\(picture)").prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        // Nothing is left behind on the way.
        #expect(try folder.tree().filter { $0.hasPrefix("incoming/") || $0.hasPrefix("spool/") } == [])
    }

    @Test("What displays look like is kept as SVG at each change, if asked for")
    func pictures() throws {
        let folder = try TemporaryDirectory()
        var simulation = Simulation(
            try Self.configuration("examples/displays.yaml"), duration: .seconds(120), seed: 7, directory: folder.path)
        simulation.keepsPictures = true
        let changes = Protected<[String: Int]>([:])
        _ = try simulation.run { entry in
            if entry.text.hasPrefix("glass ") { changes.withLock { $0[entry.source, default: 0] += 1 } }
        }
        let pictures = try folder.tree().filter { $0.hasPrefix("pictures/") }
        #expect(Set(pictures.map { $0.split(separator: "/")[1] }).count == 7)
        // One for each change of the glass, and a dark one at the end, unless it was never lit.
        for (name, count) in changes.withLock({ $0 }) {
            #expect(pictures.count { $0.hasPrefix("pictures/\(name)/") } == count, "\(name)")
        }
        let sign = try #require(pictures.first { $0.hasPrefix("pictures/clock/00.01.31") })
        let text = String(decoding: try Files.read("\(folder.path)/\(sign)"), as: UTF8.self)
        #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n"))
        #expect(text.contains("class=\"lit red\""))
    }

    @Test("The same seed gives the same day, byte for byte; another seed another one")
    func determinism() throws {
        let configuration = try Self.configuration("examples/doorbell.yaml")
        let days = try [7, 7, 8].map { seed in
            try Self.run(configuration, for: .seconds(86400), seed: seed, in: try TemporaryDirectory(inMemory: true))
        }
        #expect(days[0] == days[1])
        #expect(days[0] != days[2])
        #expect(days[0].count > 1000)
    }

    @Test("A part that is absent fails alone, is reported once, and the others go on")
    func absentPart() throws {
        let source = """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27 }
              sign: { driver: ht16k33 }
              other: { driver: absent, bus: I2C0 }
            rules:
              - { when: bell.pressed, do: [ { sign.show: "HI" } ] }
            """
        // The world has no model for a driver of this name, so nothing is on its wires.
        let known = try #require(standardDrivers.first { $0.name == "ht16k33" })
        let absent = Driver(
            name: "absent", summary: "", options: known.options, claims: known.claims, makeDevice: known.makeDevice)
        let configuration = try Configuration.read(
            source.utf8, file: "test.yaml", drivers: standardDrivers + [absent], backends: [],
            boards: Configuration.boards)
        let trace = try Self.run(configuration, for: .seconds(3600), in: try TemporaryDirectory())
        let failures = trace.filter { $0.contains("  other") && $0.contains("failed") }
        #expect(failures.count == 1)
        #expect(failures.first?.contains("I2C0 0x70 did not acknowledge") == true)
        #expect(trace.contains { $0.contains("glass shows HI") })
    }

    @Test("A board of a file is simulated with the names of the file")
    func boardFile() throws {
        let folder = try TemporaryDirectory()
        try folder.write("name: tower\ngpio-chips: x\nlines: { BELL: 6 }\n", to: "tower.yaml")
        try folder.write(
            "device: porch\nboard: ./tower.yaml\ndevices: { bell: { driver: button, pin: BELL } }\n", to: "perch.yaml")
        let configuration = try Configuration.read("\(folder.path)/perch.yaml")
        let trace = try Self.run(configuration, for: .seconds(600), in: try TemporaryDirectory())
        #expect(trace.contains { $0.hasSuffix("bell          pressed") })
    }
}
