import SimulatedPeripherals

extension ScenarioReport {
    /// For a person: a line for each scenario, what failed below it, and a sum.
    public static func text(of reports: [ScenarioReport]) -> String {
        var lines: [String] = []
        for report in reports {
            lines.append(report.file)
            for entry in report.cases {
                lines.append("  \(entry.failures.isEmpty ? "ok  " : "FAIL") \(entry.name)\(entry.seedNote)")
                lines += entry.failures.flatMap(\.lines).map { "       \($0)" }
            }
            lines += report.notes.map { "  note: \($0)" }
        }
        let count = reports.reduce(0) { $0 + $1.cases.count }
        let failed = reports.reduce(0) { $0 + $1.cases.count { !$0.failures.isEmpty } }
        let noun = count == 1 ? "scenario" : "scenarios"
        lines.append(failed == 0 ? "\(count) \(noun): all as expected" : "\(count) \(noun), \(failed) failed")
        return lines.joined(separator: "\n")
    }

    /// The Test Anything Protocol, version 13 (testanything.org).
    public static func tap(of reports: [ScenarioReport]) -> String {
        let cases = reports.flatMap { report in report.cases.map { (report.file, $0) } }
        var lines = ["TAP version 13", "1..\(cases.count)"]
        for (index, (file, entry)) in cases.enumerated() {
            // A '#' begins a directive.
            let name = "\(file): \(entry.name)\(entry.seedNote)".replacing("#", with: "\\#")
            lines.append("\(entry.failures.isEmpty ? "ok" : "not ok") \(index + 1) - \(name)")
            if entry.failures.isEmpty { continue }
            lines += ["  ---", "  message: |"] + entry.failures.flatMap(\.lines).map { "    \($0)" } + ["  ..."]
        }
        lines += reports.flatMap(\.notes).map { "# \($0)" }
        return lines.joined(separator: "\n")
    }

    /// JUnit's XML, as CI systems read it.
    public static func junit(of reports: [ScenarioReport]) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        for report in reports {
            let failed = report.cases.count { !$0.failures.isEmpty }
            lines.append(
                "  <testsuite name=\"\(xml(report.file))\" tests=\"\(report.cases.count)\" failures=\"\(failed)\">")
            for entry in report.cases {
                let name = xml(entry.name + entry.seedNote)
                let attributes =
                    "name=\"\(name)\" classname=\"\(xml(report.file))\" file=\"\(xml(report.file))\" "
                    + "line=\"\(entry.position.line)\" time=\"\(seconds(entry.time))\""
                guard let first = entry.failures.first else {
                    lines.append("    <testcase \(attributes)/>")
                    continue
                }
                lines.append("    <testcase \(attributes)>")
                lines.append(
                    "      <failure message=\"\(xml(first.lines.first ?? ""))\">"
                        + "\(xml(entry.failures.joined(separator: "\n")))</failure>")
                lines.append("    </testcase>")
            }
            if !report.notes.isEmpty {
                lines.append("    <system-out>\(xml(report.notes.joined(separator: "\n")))</system-out>")
            }
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n")
    }

    /// Text within XML 1.0, which has no place for most control characters.
    private static func xml(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}"..."\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `0.012`
    private static func seconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let milliseconds = String(attoseconds / 1_000_000_000_000_000)
        return "\(seconds).\(String(repeating: "0", count: max(0, 3 - milliseconds.count)))\(milliseconds)"
    }
}

extension ScenarioReport.Case {
    /// More of them are not worth reading.
    private static let mostSeeds = 10

    fileprivate var seedNote: String {
        guard seeds > 1 else { return "" }
        guard let first = failedSeeds.first else { return " (\(seeds) seeds)" }
        let shown = failedSeeds.prefix(Self.mostSeeds).map(String.init).joined(separator: ", ")
        let more = failedSeeds.count > Self.mostSeeds ? " …" : ""
        return " (fails with \(failedSeeds.count) of \(seeds) seeds: \(shown)\(more); below, with \(first))"
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
