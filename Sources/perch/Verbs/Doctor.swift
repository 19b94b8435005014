import DeviceDaemon

extension Verb {
    static let doctor = Verb(
        name: "doctor",
        summary: """
            looks at this board and its configuration, and says what is wrong and what mends it
            Works before anything is configured, and for every user. Ends with 0 without a problem, with 1 otherwise.
            """,
        flags: [
            ConfigurationFile.flag, Flag(name: "json", summary: "one object on one line, for programs"),
            Flag(name: "upload", summary: "send each storage a small record, to see whether it is taken"),
            StateDirectory.flag, socketFlag,
        ]
    ) { arguments in
        let diagnosis = try Diagnosis.make(
            configurationPath: arguments["config"] ?? ConfigurationFile.defaultPath,
            stateDirectory: StateDirectory.resolve(arguments), socketPath: socketPath(arguments),
            isUploading: arguments.has("upload"))
        Output.print(arguments.has("json") ? diagnosis.json : diagnosis.text)
        return diagnosis.isWell ? .success : .failure
    }
}
