import DeviceRuntime
import TestSupport
import Testing

@Suite("The manual pages and the completion of shells")
struct ManualTests {
    private static func perch(_ arguments: String...) throws -> String {
        let (lines, code) = try RunningProcess.run([RunningProcess.perch] + arguments)
        #expect(code == 0, "\(lines)")
        return lines.joined(separator: "\n")
    }

    /// The names in the first column of what `perch help`, `perch drivers` or `perch backends` lists.
    private static func listed(_ verb: String, from line: Int = 0) throws -> [String] {
        try perch(verb).split(separator: "\n").dropFirst(line).compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
    }

    @Test("Every verb that the help lists has its place in the manual and in each shell's completion")
    func verbs() throws {
        let verbs = try Self.listed("help", from: 2)
        #expect(verbs.count > 15)
        let page = try Self.perch("manual", "perch").replacing("\\-", with: "-")
        let scripts = try ["bash", "zsh", "fish"].map { try Self.perch("completion", $0) }
        for verb in verbs {
            #expect(page.contains(".SS perch \(verb)"), "\(verb)")
            #expect(scripts[0].contains("        \(verb))\n"), "\(verb)")
            #expect(scripts[1].contains("        \(verb))\n"), "\(verb)")
            #expect(scripts[2].contains("__fish_use_subcommand -a \(verb) -d"), "\(verb)")
            let flags = try Self.perch(verb, "--help").split(separator: " ").filter { $0.hasPrefix("--") }
                .map { String($0.prefix { $0 != "\n" }) }
            for flag in flags where flag.dropFirst(2).allSatisfy({ $0.isLowercase || $0 == "-" }) {
                #expect(page.contains(flag), "\(verb) \(flag)")
                #expect(scripts[0].contains(flag), "\(verb) \(flag)")
                #expect(scripts[1].contains(flag), "\(verb) \(flag)")
                #expect(scripts[2].contains("-l \(flag.dropFirst(2))"), "\(verb) \(flag)")
            }
        }
    }

    @Test("Every driver and backend has its place in perch.yaml(5), with its options")
    func tables() throws {
        let page = try Self.perch("manual", "perch.yaml").replacing("\\-", with: "-")
        for name in try Self.listed("drivers") + Self.listed("backends") {
            #expect(page.contains("\n.SS \(name)\n"), "\(name)")
        }
        for option in ["warm-up", "pull", "topic", "bucket", "group-time", "window-for"] {
            #expect(page.contains("\n\\fB\(option)\\fR\n"), "\(option)")
        }
    }

    @Test(
        "bash completes verbs, flags, names and files",
        arguments: [
            (["perch", "rel"], ["reload"]), (["perch", "drivers", "ht"], ["ht16k33"]),
            (["perch", "backends", "web"], ["webdav"]), (["perch", "queue", "ex"], ["export"]),
            (["perch", "run", "--conf"], ["--config"]), (["perch", "run", "-c", "/etc/passw"], ["/etc/passwd"]),
            (["perch", "check", "/etc/passw"], ["/etc/passwd"]),
            (["perch", "queue", "list", "--state", "/us"], ["/usr"]),
            (["perch", "send", "x"], []),
        ] as [([String], [String])])
    func bash(words: [String], expected: [String]) throws {
        let typed = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            compopt() { :; }
            eval "$("$1" completion bash)"
            COMP_WORDS=(\(typed)) COMP_CWORD=\(words.count - 1)
            _perch && printf '%s\\n' "${COMPREPLY[@]}"
            """
        let (lines, code) = try RunningProcess.run(["/bin/bash", "-c", script, "bash", RunningProcess.perch])
        #expect(code == 0)
        let found = lines.filter { !$0.isEmpty && $0 != "/etc/passwd-" }
        #expect(found == expected)
    }
}
