import DeviceDaemon
import DeviceRuntime
import SimulatedPeripherals

extension Verb {
    /// What a person's own CI runs.
    static let test = Verb(
        name: "test", summary: "runs scenarios: what happens to a device, and what has to come of it",
        operands: "FILE…",
        flags: [
            Flag(name: "filter", value: "TEXT", summary: "only the scenarios whose names contain this"),
            Flag(name: "format", value: "FORMAT", summary: "text, tap or junit (default: text)"),
            Flag(name: "output", value: "FILE", summary: "write the report there, and a summary to standard output"),
            Flag(name: "seeds", value: "N", summary: "run each with so many seeds, from its own on (default: 1)"),
            Flag(name: "trace", summary: "show what happens as it happens"),
        ]
    ) { arguments in
        let formats: [String: @Sendable ([ScenarioReport]) -> String] = [
            "text": ScenarioReport.text(of:), "tap": ScenarioReport.tap(of:), "junit": ScenarioReport.junit(of:),
        ]
        let format = try arguments.value("format", default: "text", expected: "text, tap or junit") { formats[$0] }
        let seeds = try arguments.value("seeds", default: "1", expected: "a whole number from 1 on") { text in
            Int(text).flatMap { $0 >= 1 ? $0 : nil }
        }
        let filter = arguments["filter"] ?? ""
        let showsTrace = arguments.has("trace")

        let files = try readAll(try scenarioFiles(arguments.operands))
        guard files.contains(where: { file in file.scenarios.contains { filter.isEmpty || $0.name.contains(filter) } })
        else {
            throw CommandFailure(.usage, "perch test: no scenario has '\(filter)' in its name")
        }
        let reports = try files.map { file in
            try file.run(filter: filter, seeds: seeds) { entry in
                if showsTrace && !entry.isWire { Output.print(entry.description) }
            }
        }
        try report(reports, format, to: arguments["output"])
        return reports.contains(where: \.isFailure) ? .failure : .success
    }

    /// The operands, with the files of scenarios in folders.
    private static func scenarioFiles(_ operands: [String]) throws -> [String] {
        guard !operands.isEmpty else {
            throw CommandFailure(
                .usage, "perch test: name a file of scenarios, or a folder with files *.scenarios.yaml\n\(test.help)")
        }
        return try operands.flatMap { path -> [String] in
            var names: [String] = []
            do {
                try Files.forEachEntry(of: path) { if $0.hasSuffix(".scenarios.yaml") { names.append($0) } }
            } catch is SystemError {
                // No folder: a file, or nothing that is there.
                return [path]
            }
            if names.isEmpty {
                throw CommandFailure(.usage, "perch test: there are no files *.scenarios.yaml in \(path)")
            }
            return names.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
        }
    }

    /// Reads all of them, and says all that is wrong in all of them.
    private static func readAll(_ paths: [String]) throws -> [ScenarioFile] {
        var files: [ScenarioFile] = []
        var wrong: [String] = []
        var code = ExitCode.data
        for path in paths {
            do {
                files.append(try ScenarioFile.read(path))
            } catch let error as ConfigurationError {
                wrong.append("\(error)")
                // Where a configuration is what is wrong, that is what a script wants to know.
                if error.diagnostics.contains(where: { $0.file != path }) { code = .configuration }
            } catch let error as SystemError {
                wrong.append("\(path): \(error.reason)")
            }
        }
        if wrong.isEmpty { return files }
        throw CommandFailure(code, wrong.joined(separator: "\n"))
    }

    private static func report(
        _ reports: [ScenarioReport], _ format: ([ScenarioReport]) -> String, to path: String?
    ) throws {
        guard let path else { return Output.print(format(reports)) }
        do {
            try Files.write(Array((format(reports) + "\n").utf8), to: path)
        } catch let error as SystemError {
            throw CommandFailure(.failure, "perch test: --output \(path): \(error.reason)")
        }
        Output.print(ScenarioReport.text(of: reports))
    }
}
