/// What came of a scenario.
public struct ScenarioResult: Sendable {
    public let scenario: String
    /// The seed that it was run with.
    public let seed: UInt64
    /// In the order in which they came to light; empty when all went as expected.
    public let failures: [ScenarioFailure]
    /// The rules that fired, by their lines in the configuration's file.
    let firedRules: Set<Int>
}

/// Something that did not come about as a scenario expects.
public struct ScenarioFailure: Sendable, CustomStringConvertible {
    public let file: String
    public let position: SourcePosition
    /// `expected sign.text to be 'HEY!' within 2s of 00:01:30.000000`
    public let expectation: String
    /// What happened instead: `it was '    '`.
    public let reason: String
    /// What the rules did that have to do with it.
    public let rules: [String]
    /// The trace around it.
    public let trace: [String]

    /// `porch.scenarios.yaml:12:9: expected …; it was …`
    public var message: String { "\(file):\(position.line):\(position.column): \(expectation); \(reason)" }

    /// The message, the rules and the trace, in lines.
    public var description: String {
        ([message] + rules.map { "  \($0)" } + (trace.isEmpty ? [] : ["  trace:"]) + trace.map { "    \($0)" })
            .joined(separator: "\n")
    }
}
