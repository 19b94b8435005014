extension Verb {
    /// What the package installs as perch(1) and perch.yaml(5).
    static let manual = Verb(
        name: "manual", summary: "prints a manual page, as man(1) reads it: `perch manual perch.yaml | man -l -`",
        operands: "perch | perch.yaml", choices: ["perch", "perch.yaml"]
    ) { arguments in
        switch arguments.operands.first {
        case "perch" where arguments.operands.count == 1: Output.print(ManualPage.perch(Perch.verbs))
        case "perch.yaml" where arguments.operands.count == 1: Output.print(ManualPage.configuration)
        default: throw CommandFailure(.usage, "perch manual: name a page: perch or perch.yaml")
        }
        return .success
    }
}
