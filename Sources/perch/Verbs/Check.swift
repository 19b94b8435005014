import DeviceDaemon

extension Verb {
    /// Validates without touching any hardware.
    static let check = Verb(
        name: "check", summary: "validates configurations and shows their wiring", operands: "FILE…"
    ) { arguments in
        let files = arguments.operands.isEmpty ? [ConfigurationFile.defaultPath] : arguments.operands
        var code = ExitCode.success
        for file in files {
            do {
                let configuration = try ConfigurationFile.read(file)
                Output.print("\(file): valid\n\n\(configuration.wiringTable)")
            } catch let failure as CommandFailure {
                Output.printError(failure.message)
                code = failure.code
            }
        }
        return code
    }
}
