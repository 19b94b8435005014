import BoardScripts
import DeviceDaemon
import DeviceKit
import DeviceRuntime

extension Verb {
    /// Plays what `record` has written.
    static let replay = Verb(
        name: "replay", summary: "plays a recorded trace to the drivers, and says whether they do the same",
        operands: "TRACE",
        flags: [
            ConfigurationFile.flag,
            Flag(
                name: "within", value: "TIME",
                summary: "how much earlier or later than in the trace something may be done (default: 20ms)"),
        ]
    ) { arguments in
        guard let path = arguments.operands.first, arguments.operands.count == 1 else {
            throw CommandFailure(.usage, "perch replay: name one trace, as in: perch replay -c FILE TRACE")
        }
        let tolerance = try arguments.value("within", default: "20ms", expected: "a duration such as 20ms or 1s") {
            Duration(configurationText: $0)
        }
        let configuration = try ConfigurationFile.read(arguments["config"] ?? ConfigurationFile.defaultPath)
        let trace = try read(path)
        let directory = try Files.makeTemporaryDirectory(prefix: "perch-replay")
        defer { try? Files.removeTree(directory) }
        do {
            let summary = try Replay(configuration, trace: trace, directory: directory, tolerance: tolerance).run()
            Output.print("\(path): the same: \(summary.operations) operations in \(summary.duration)")
            return .success
        } catch let difference as ScriptDifference {
            Output.print("\(path): \(difference)")
            return .failure
        } catch let error as Replay.NoRecording {
            throw CommandFailure(.data, "\(path): \(error)")
        }
    }

    private static func read(_ path: String) throws -> BoardScript {
        do {
            return try BoardScript(String(decoding: try Files.read(path), as: UTF8.self))
        } catch let error as ScriptSyntaxError {
            throw CommandFailure(.data, "\(path):\(error.row): \(error.reason); found '\(error.text)'")
        } catch let error as SystemError {
            throw CommandFailure(.data, "\(path): \(error.reason)")
        }
    }
}
