import DeviceDaemon
import DeviceKit
import DeviceRuntime
import Glibc
import SimulatedPeripherals

extension Verb {
    static let simulate = Verb(
        name: "simulate", summary: "runs a configuration on the simulated board, in virtual time",
        flags: [
            ConfigurationFile.flag,
            Flag(name: "for", value: "TIME", summary: "how long, in the board's time (default: 1h)"),
            Flag(name: "seed", value: "N", summary: "what follows from chance follows from this (default: 1)"),
            Visitors.flag,
            Flag(name: "output", value: "DIR", summary: "keep what arrives in this new folder"),
            Flag(name: "wires", summary: "show the traffic on lines and buses too"),
            Flag(name: "draw", summary: "draw displays as they look"),
        ]
    ) { arguments in
        let configuration = try ConfigurationFile.read(arguments["config"] ?? ConfigurationFile.defaultPath)
        let duration = try arguments.value("for", default: "1h", expected: "a duration such as 90s, 10min or 24h") {
            Duration(configurationText: $0)
        }
        let seed = try arguments.value("seed", default: "1", expected: "a whole number from 0 on") { UInt64($0) }
        let interval = try Visitors.interval(arguments)
        let isKept = arguments.has("output")
        let directory = try makeDirectory(arguments["output"])
        defer { if !isKept { Folder.remove(directory) } }

        let (showsWires, draws) = (arguments.has("wires"), arguments.has("draw"))
        let simulation = Simulation(
            configuration, duration: duration, seed: seed, visitInterval: interval, directory: directory)
        try simulation.run { entry in
            if entry.isWire && !showsWires { return }
            Output.print(entry.description)
            if draws, let drawing = entry.drawing { Output.print(framed(drawing)) }
        }
        report(configuration, directory, isKept: isKept)
        return .success
    }

    /// A drawing behind glass.
    private static func framed(_ drawing: String) -> String {
        let rows = drawing.split(separator: "\n", omittingEmptySubsequences: false)
        let width = rows.map(\.count).max() ?? 0
        let rim = "    +" + String(repeating: "-", count: width + 4) + "+"
        let lines = rows.map { "    |  \($0)\(String(repeating: " ", count: width - $0.count))  |" }
        return ([rim] + lines + [rim]).joined(separator: "\n")
    }

    /// A folder that holds nothing else.
    private static func makeDirectory(_ path: String?) throws -> String {
        do {
            guard let path else { return try Folder.makeTemporary() }
            try Files.makeDirectory(path)
            var isEmpty = true
            try Files.forEachEntry(of: path) { _ in isEmpty = false }
            guard isEmpty else {
                throw CommandFailure(.usage, "perch simulate: --output \(path) is not an empty folder; name a new one")
            }
            return path
        } catch let error as SystemError where error.code == ENOTDIR {
            throw CommandFailure(.usage, "perch simulate: --output \(path ?? "") is not a folder; name a new one")
        } catch let error as SystemError {
            throw CommandFailure(.permission, "perch simulate: cannot make the folder: \(error)")
        }
    }

    /// What arrived, and where.
    private static func report(_ configuration: Configuration, _ directory: String, isKept: Bool) {
        for storage in configuration.storage {
            let folder = "\(directory)/\(storage.name)"
            let names = Folder.files(in: folder).sorted()
            let records = names.count { $0.hasSuffix(".json") }
            Output.print(
                "\n\(storage.name): \(records) records and \(names.count - records) files arrived"
                    + (isKept ? " in \(folder)" : ""))
            guard isKept else { continue }
            for name in names.prefix(20) { Output.print("  \(name)") }
            if names.count > 20 { Output.print("  … and \(names.count - 20) more") }
            if let picture = names.first(where: { $0.hasSuffix(".png") }) {
                Output.print("Look at the picture: \(folder)/\(picture)")
            }
        }
    }
}
