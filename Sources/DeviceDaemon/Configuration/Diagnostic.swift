/// One thing that is wrong in a file: where, what, and what would be right.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    public var file: String
    public var position: SourcePosition
    public var message: String

    public init(file: String, position: SourcePosition, message: String) {
        self.file = file
        self.position = position
        self.message = message
    }

    /// `perch.yaml:12:9: unknown option 'warmup' of driver motion-sensor; did you mean 'warm-up'?`
    public var description: String { "\(file):\(position.line):\(position.column): \(message)" }
}

/// A configuration that cannot be used, with everything that is wrong in it.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// In the order of the file; never empty.
    public let diagnostics: [Diagnostic]
    /// How many more there are: a file that is wrong throughout is not repeated in full.
    public let omittedCount: Int

    /// A line for each.
    public var description: String {
        var lines = diagnostics.map(\.description)
        if omittedCount > 0 { lines.append("… and \(omittedCount) more") }
        return lines.joined(separator: "\n")
    }
}

/// Collects what is wrong in a file.
struct DiagnosticCollector {
    /// More than a person reads at once; also bounds the work that a hostile file can cause.
    static let limit = 100

    private let file: String
    private var diagnostics: [Diagnostic] = []
    private var omittedCount = 0
    private var settled: Set<SourcePosition> = []
    /// What is wrong in files that this one names.
    private var others: [Diagnostic] = []

    init(file: String) { self.file = file }

    /// The message is made only if it is kept.
    mutating func report(_ position: SourcePosition, _ message: @autoclosure () -> String) {
        guard !settled.contains(position) else { return }
        guard diagnostics.count < Self.limit else {
            omittedCount += 1
            return
        }
        diagnostics.append(Diagnostic(file: file, position: position, message: message()))
    }

    /// Adds what is wrong in a file that this one names.
    mutating func include(_ error: ConfigurationError) {
        others += error.diagnostics
        omittedCount += error.omittedCount
    }

    /// Reports what is wrong with the file as YAML. What stands in such a place is not judged any further.
    mutating func report(_ problems: [YAMLProblem]) {
        for problem in problems { report(problem.position, problem.message) }
        settled = Set(problems.map(\.position))
    }

    /// `nil` when nothing is wrong.
    var error: ConfigurationError? {
        guard !diagnostics.isEmpty else { return nil }
        // By place, and in order of finding where that is the same.
        let sorted = diagnostics.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        return ConfigurationError(diagnostics: sorted.map(\.element) + others, omittedCount: omittedCount)
    }
}
