extension Verb {
    /// A shell's own script, made from the table of verbs.
    static let completion = Verb(
        name: "completion",
        summary: "prints what completes perch's words in a shell: `eval \"$(perch completion bash)\"`",
        operands: "bash | zsh | fish", choices: shells.keys.sorted()
    ) { arguments in
        guard arguments.operands.count == 1, let script = shells[arguments.operands[0]] else {
            throw CommandFailure(.usage, "perch completion: name a shell: bash, zsh or fish")
        }
        Output.print(script(Perch.verbs))
        return .success
    }

    private static let shells: [String: @Sendable ([Verb]) -> String] = [
        "bash": CompletionScript.bash, "zsh": CompletionScript.zsh, "fish": CompletionScript.fish,
    ]
}
