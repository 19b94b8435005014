import DeviceRuntime

/// `perch`: one verb a call. Errors go to standard error, results to standard output.
@main
enum Perch {
    static let verbs: [Verb] = [
        .run, .check, .simulate, .test, .record, .replay, .status, .metrics, .send, .events, .reload, .sim, .queue,
        .verify, .doctor, .logs,
        .drivers,
        .backends, .faults, .new, .completion, .manual, .version,
    ]

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        Output.exit(with: run(words))
    }

    private static func run(_ words: ArraySlice<String>) -> ExitCode {
        guard let name = words.first, name != "--help", name != "-h", name != "help" else {
            Output.print(help)
            return words.isEmpty ? .usage : .success
        }
        guard let verb = verbs.first(where: { $0.name == name }) else {
            Output.printError("perch: there is no '\(name)'\n\(help)")
            return .usage
        }
        let rest = words.dropFirst()
        if rest.contains("--help") || rest.contains("-h") {
            Output.print(verb.help)
            return .success
        }
        do {
            return try verb.run(try Arguments(rest, for: verb))
        } catch let failure as CommandFailure {
            Output.printError(failure.message)
            return failure.code
        } catch {
            Output.printError("perch \(name): \(error)")
            return .failure
        }
    }

    private static var help: String {
        let width = verbs.map(\.name.count).max() ?? 0
        let rows = verbs.map { verb in
            let margin = String(repeating: " ", count: width - verb.name.count)
            // What follows on further lines is for the verb's own help.
            return "  \(verb.name)\(margin)  \(verb.summary.prefix { $0 != "\n" })"
        }
        return """
            usage: perch <verb> [options]; perch <verb> --help tells more
            Turns a Raspberry Pi-class board into a dependable sensor device.

            \(rows.joined(separator: "\n"))
            """
    }
}
