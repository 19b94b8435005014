public import CaptureStore
public import DeviceKit
public import DeviceRuntime

/// A kind of storage that a configuration can name: its table, and how to make a backend of it.
public struct StorageKind: Sendable {
    public let description: BackendDescription
    /// - Throws: what is missing at start, such as a credential.
    public let makeBackend: @Sendable (StorageConfiguration, StorageContext) throws -> any StorageBackend

    public init(
        _ description: BackendDescription,
        makeBackend: @escaping @Sendable (StorageConfiguration, StorageContext) throws -> any StorageBackend
    ) {
        self.description = description
        self.makeBackend = makeBackend
    }
}

/// What a backend is made with.
public struct StorageContext: Sendable {
    public let loop: EventLoop
    /// Relative paths in the configuration start here.
    public let stateDirectory: String

    public init(loop: EventLoop, stateDirectory: String) {
        self.loop = loop
        self.stateDirectory = stateDirectory
    }

    func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : "\(stateDirectory)/\(path)" }
}
