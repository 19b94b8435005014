public import DeviceKit
import DeviceRuntime

/// A file of scenarios: see docs/scenarios.md.
public struct ScenarioFile: Sendable {
    /// As it is named in messages.
    public let path: String
    public var scenarios: [Scenario]
    /// Whether a rule that fires in none of the scenarios is a failure.
    public let requiresEveryRule: Bool
    let models: [PartModel]

    /// Reads and validates a file of scenarios, with the configurations that it names.
    ///
    /// Throws `SystemError` when the file cannot be read, and ``ConfigurationError`` with all that is wrong in it.
    public static func read(
        _ path: String, drivers: [Driver] = standardDrivers, models: [PartModel] = standardParts,
        faults: [FaultKind] = standardFaults
    ) throws -> ScenarioFile {
        let source = try Files.read(path)
        return try read(source, path: path, models: models, faults: faults) { path in
            try Configuration.read(path, drivers: drivers)
        }
    }

    /// `configuration` reads the one at a path.
    static func read(
        _ source: some Collection<UInt8>, path: String, models: [PartModel], faults: [FaultKind],
        configuration: @escaping (String) throws -> Configuration
    ) throws -> ScenarioFile {
        var reader = ScenarioReader(path: path, models: models, faults: faults, readConfiguration: configuration)
        let file = reader.read(Array(source))
        if let error = reader.base.diagnostics.error { throw error }
        return file
    }
}
