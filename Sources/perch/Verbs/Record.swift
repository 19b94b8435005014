import DeviceDaemon
import DeviceKit
import DeviceRuntime

extension Verb {
    /// As `run`, and writes down what happens.
    static let record = Verb(
        name: "record", summary: "runs the device and writes a trace of what happens on its board",
        flags: [
            Flag(name: "output", letter: "o", value: "TRACE", summary: "the file to write; must be given"),
            Flag(name: "for", value: "TIME", summary: "how long (default: until SIGTERM or control-C)"),
        ] + DaemonVerb.flags
    ) { arguments in
        guard let path = arguments["output"] else {
            throw CommandFailure(.usage, "perch record: name the file to write: --output TRACE")
        }
        let duration = try arguments["for"].map { text in
            guard let duration = Duration(configurationText: text) else {
                throw CommandFailure(
                    .usage, "perch record: --for: expected a duration such as 90s, 10min or 24h; found '\(text)'")
            }
            return duration
        }
        do {
            try DaemonVerb.run(arguments, name: "record", recording: Recording(to: path, for: duration))
        } catch let error as SystemError where error.call.hasSuffix(path) {
            throw CommandFailure(.failure, "perch record: the trace is not complete: \(error)")
        }
        Output.print("\(path): written; `perch replay -c FILE \(path)` plays it")
        return .success
    }
}
