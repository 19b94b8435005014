import DeviceRuntime

/// One thing that a look at a board has shown.
public struct Finding: Sendable, Hashable {
    public enum Level: String, Sendable, Hashable {
        /// As it should be, and worth knowing.
        case well
        /// Nothing that is configured needs it to be otherwise; it may be wanted.
        case note
        /// Something will not work, or not for long.
        case problem
    }

    public var level: Level
    /// What it is about: `gpio`, `storage`.
    public var topic: String
    public var text: String
    /// The command or the line that mends it.
    public var remedy: String?

    init(_ level: Level, _ topic: String, _ text: String, remedy: String? = nil) {
        self.level = level
        self.topic = topic
        self.text = text
        self.remedy = remedy
    }
}

/// What `perch doctor` has found.
public struct Diagnosis: Sendable {
    public var findings: [Finding]

    /// Whether there is no problem.
    public var isWell: Bool { !findings.contains { $0.level == .problem } }

    /// For a person: a line for each, with what mends it below.
    public var text: String {
        let rows = findings.flatMap { finding -> [[String]] in
            let mark = finding.level == .well ? "ok" : finding.level.rawValue
            let lines = finding.text.split(separator: "\n").map(String.init)
            return [[mark, finding.topic, lines.first ?? ""]] + lines.dropFirst().map { ["", "", $0] }
                + (finding.remedy?.split(separator: "\n").map { ["", "", "-> \($0)"] } ?? [])
        }
        let problems = findings.count { $0.level == .problem }
        let end = problems == 0 ? "no problem found" : "\(problems) problem\(problems == 1 ? "" : "s")"
        return aligned(rows) + "\n\n" + end
    }

    /// One object on one line.
    public var json: String {
        JSONText.object([
            "well": .flag(isWell),
            "findings": .array(
                findings.map { finding in
                    var members: [String: JSONText] = [
                        "level": .text(finding.level.rawValue), "topic": .text(finding.topic),
                        "text": .text(finding.text),
                    ]
                    members["remedy"] = finding.remedy.map { .text($0) }
                    return .object(members)
                }),
        ]).description
    }
}
