import DeviceRuntime
public import SimulatedPeripherals

/// What came of a file's scenarios: see ``text(of:)``, ``tap(of:)`` and ``junit(of:)``.
public struct ScenarioReport: Sendable {
    /// A scenario, or another thing that a file asks for.
    public struct Case: Sendable {
        public let name: String
        public let position: SourcePosition
        /// How many seeds it was run with.
        public let seeds: Int
        /// Those that it failed with, in ascending order.
        public let failedSeeds: [UInt64]
        /// In lines, of the first seed that it failed with. Empty when all went well.
        public let failures: [String]
        /// What it took, in real time.
        public let time: Duration
    }

    public let file: String
    public let cases: [Case]
    /// What a person should know and what is no failure.
    public let notes: [String]

    public var isFailure: Bool { cases.contains { !$0.failures.isEmpty } }
}

extension ScenarioFile {
    /// Runs the scenarios whose names contain `filter`, each with so many seeds from its own on.
    ///
    /// Throws what keeps a daemon from starting at all.
    public func run(
        filter: String = "", seeds: Int = 1, observer: (@Sendable (Trace.Entry) -> Void)? = nil
    ) throws -> ScenarioReport {
        var cases: [ScenarioReport.Case] = []
        var fired: [String: Set<Int>] = [:]
        let chosen = scenarios.filter { filter.isEmpty || $0.name.contains(filter) }
        for scenario in chosen {
            let start = EventLoop.monotonicNow()
            var failed: [ScenarioResult] = []
            var failedSeeds: [UInt64] = []
            for number in 0..<UInt64(max(1, seeds)) {
                let result = try run(scenario, seed: scenario.seed &+ number, observer: observer)
                fired[scenario.configurationPath, default: []].formUnion(result.firedRules)
                if result.failures.isEmpty { continue }
                failedSeeds.append(result.seed)
                if failed.isEmpty { failed = [result] }
            }
            cases.append(
                ScenarioReport.Case(
                    name: scenario.name, position: scenario.position, seeds: max(1, seeds), failedSeeds: failedSeeds,
                    failures: failed.flatMap { $0.failures.map(\.description) },
                    time: EventLoop.monotonicNow() - start))
        }
        let silent = chosen.count == scenarios.count ? silentRules(fired) : []
        if requiresEveryRule && chosen.count == scenarios.count {
            cases.append(
                ScenarioReport.Case(
                    name: "every rule fires", position: SourcePosition(line: 1, column: 1), seeds: 1,
                    failedSeeds: [], failures: silent, time: .zero))
        }
        return ScenarioReport(file: path, cases: cases, notes: requiresEveryRule ? [] : silent)
    }

    /// The rules that fired in none of the scenarios.
    private func silentRules(_ fired: [String: Set<Int>]) -> [String] {
        var seen: Set<String> = []
        return scenarios.filter { seen.insert($0.configurationPath).inserted }.flatMap { scenario in
            scenario.configuration.rules.filter { fired[scenario.configurationPath]?.contains($0.line) != true }.map {
                "\(scenario.configurationPath):\($0.line): rule \(quoted($0.name)) fired in no scenario of \(path)"
            }
        }
    }
}
