public import CaptureStore
public import DeviceKit
public import LinuxPeripherals

/// What `perch.yaml` says: the board, the devices on it, what they do together, and where the records go.
public struct Configuration: Sendable {
    /// What this whole device is called: part of the name of every record.
    public var name: String
    /// One of the boards' names, `auto`, or the path of a board's file.
    public var board: String
    /// What the board's file says, if there is one.
    public var boardProfile: BoardProfile?
    /// In the order of the file, as all that follows.
    public var devices: [DeviceConfiguration]
    public var rules: [Rule]
    public var storage: [StorageConfiguration]
    /// How records are kept until the storage has them.
    public var outbox = OutboxSettings()
    /// Where what the daemon counts is written to, if anywhere.
    public var metrics: MetricsFile?
    /// `nil` for no page.
    public var page: PageConfiguration?

    /// Reads and validates a configuration.
    ///
    /// - Parameters:
    ///   - source: the file's bytes.
    ///   - file: its name, for messages.
    ///   - drivers: those that devices may have; their tables say what is valid.
    ///   - backends: those that storage may have.
    ///   - boards: those that `board` may name. (It may also be a board's file.)
    /// - Throws: everything that is wrong in the file. Only an error in the YAML itself hides later ones.
    public static func read(
        _ source: some Collection<UInt8>, file: String, drivers: [Driver], backends: [BackendDescription],
        boards: [BoardDescription]
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader(
            file: file, drivers: drivers, backends: backends, boards: boards)
        let configuration = reader.read(Array(source))
        if let error = reader.diagnostics.error { throw error }
        return configuration
    }
}

/// A device of the file, validated against its driver's tables.
public struct DeviceConfiguration: Sendable {
    /// `bell`
    public var name: String
    public var driver: Driver
    public var options: OptionValues
    /// The options that the file gives, as it gives them.
    public var texts: [OptionText]
    /// How each event is recorded, by its name.
    public var recordClasses: [String: EventClass] = [:]
    /// What it needs for itself; no other device needs the same.
    public var claims: [Driver.Claim]
    /// Where the file names it.
    public var position: SourcePosition
}

/// A kind of storage: its name and its table of options, for validating and documenting a configuration.
public struct BackendDescription: Sendable {
    /// As a configuration names it: `s3`.
    public var name: String
    /// One line: where it puts records.
    public var summary: String
    public var options: [OptionDescription]

    public init(name: String, summary: String, options: [OptionDescription]) {
        self.name = name
        self.summary = summary
        self.options = options
    }
}

/// A place where every record goes.
public struct StorageConfiguration: Sendable {
    /// `photos`
    public var name: String
    public var backend: BackendDescription
    public var options: OptionValues
    /// The options that the file gives, as it gives them.
    public var texts: [OptionText]
    /// When and how fast it is given records.
    public var limits = UploadLimits()
    /// Where the file names it.
    public var position: SourcePosition
}

/// An option or argument as the file gives it, for tables that show the file.
public struct OptionText: Sendable, Hashable {
    public var name: String
    /// On one line; a list in brackets.
    public var text: String
}
