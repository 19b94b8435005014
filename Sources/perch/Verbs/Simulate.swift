import CaptureStore
import DeviceDaemon
import DeviceKit
import DeviceRuntime
import SimulatedPeripherals

extension Verb {
    static let simulate = Verb(
        name: "simulate", summary: "runs a configuration on the simulated board, in virtual time",
        flags: [
            ConfigurationFile.flag,
            Flag(name: "for", value: "TIME", summary: "how long, in the board's time (default: 1h)"),
            Flag(name: "seed", value: "N", summary: "what follows from chance follows from this (default: 1)"),
            Visitors.flag,
            Flag(
                name: "fault", value: "FAULT",
                summary: "something goes wrong: --fault 'unplug: sign, at: 10s, for: 30s'; see perch faults"),
            Flag(name: "output", value: "DIR", summary: "keep what arrives in this new folder"),
            Flag(name: "wires", summary: "show the traffic on lines and buses too"),
            Flag(name: "draw", summary: "draw displays as they look"),
            Flag(name: "pictures", summary: "keep what displays look like in --output too, as SVG, at each change"),
        ]
    ) { arguments in
        let configuration = try ConfigurationFile.read(arguments["config"] ?? ConfigurationFile.defaultPath)
        let duration = try arguments.value("for", default: "1h", expected: "a duration such as 90s, 10min or 24h") {
            Duration(configurationText: $0)
        }
        let seed = try arguments.value("seed", default: "1", expected: "a whole number from 0 on") { UInt64($0) }
        let interval = try Visitors.interval(arguments)
        let faults = try arguments.all("fault").map { text in
            do { return try Fault.read(text, source: "--fault", for: configuration) } catch {
                throw CommandFailure(.usage, "\(error)")
            }
        }
        let isKept = arguments.has("output")
        let directory = try makeDirectory(arguments["output"])
        defer { if !isKept { try? Files.removeTree(directory) } }

        if arguments.has("pictures") && !isKept {
            throw CommandFailure(.usage, "perch simulate: --pictures needs --output DIR, the folder to keep them in")
        }

        let (showsWires, draws) = (arguments.has("wires"), arguments.has("draw"))
        var simulation = Simulation(
            configuration, duration: duration, seed: seed, visitInterval: interval, directory: directory)
        simulation.keepsPictures = arguments.has("pictures")
        simulation.faults = faults
        simulation.tracesWires = showsWires
        simulation.keepsArrivals = isKept
        let arrivals = Protected(Arrivals())
        try simulation.run { entry in
            Output.print(entry.description)
            if draws, let drawing = entry.drawing { Output.print(framed(drawing)) }
        } arrived: { arrival in
            arrivals.withLock { $0.add(arrival, keepsPaths: isKept) }
        }
        report(configuration, arrivals.withLock { $0 })
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
        guard let path else { return try Files.makeTemporaryDirectory(prefix: "perch-simulation", inMemory: true) }
        do {
            try Files.makeDirectory(path)
            var isEmpty = true
            try Files.forEachEntry(of: path) { _ in isEmpty = false }
            if isEmpty { return path }
            throw CommandFailure(.usage, "perch simulate: --output \(path): the folder is not empty; name a new one")
        } catch let error as SystemError {
            throw CommandFailure(.usage, "perch simulate: --output \(path): \(error.reason); name a new folder")
        }
    }

    /// What arrived, and where.
    private static func report(_ configuration: Configuration, _ arrivals: Arrivals) {
        for storage in configuration.storage {
            let count = arrivals.counts[storage.name] ?? Arrivals.Count()
            Output.print(
                "\n\(storage.name): \(counted(count.records, "record")) and \(counted(count.files, "file")) arrived")
            for path in count.paths { Output.print("  \(path)") }
            let rest = count.records + count.files - count.paths.count
            if !count.paths.isEmpty && rest > 0 { Output.print("  … and \(rest) more") }
        }
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// What arrived at each storage, in numbers, and the first of it.
private struct Arrivals: Sendable {
    struct Count {
        var records = 0
        var files = 0
        var paths: [String] = []
    }

    private(set) var counts: [String: Count] = [:]

    private static let longest = 20

    mutating func add(_ arrival: Simulation.Arrival, keepsPaths: Bool) {
        var count = counts[arrival.storage] ?? Count()
        defer { counts[arrival.storage] = count }
        let documents = arrival.record.objects.count { $0.mediaType == "application/json" }
        count.records += documents
        count.files += arrival.record.objects.count - documents
        guard keepsPaths, let folder = arrival.folder else { return }
        for object in arrival.record.objects where count.paths.count < Self.longest {
            count.paths.append("\(folder)/\(object.name)")
        }
    }
}
