public import CaptureStore
import DeviceKit
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
    /// The board's name.
    public let device: String
    /// The devices, for a storage that shows them and takes commands. Empty until the daemon is made.
    public let devices: DeviceDirectory
    public let logger: Logger

    public init(
        loop: EventLoop, stateDirectory: String, device: String, devices: DeviceDirectory, logger: Logger
    ) {
        self.loop = loop
        self.stateDirectory = stateDirectory
        self.device = device
        self.devices = devices
        self.logger = logger
    }

    func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : "\(stateDirectory)/\(path)" }
}

extension StorageKind {
    /// Makes the backend of a storage whose kind is one of the standard ones.
    @Sendable
    public static func makeStandardBackend(
        _ storage: StorageConfiguration, _ context: StorageContext
    ) throws -> any StorageBackend {
        guard let kind = standardStorage.first(where: { $0.description.name == storage.backend.name }) else {
            throw UnknownStorageKind(name: storage.backend.name)
        }
        return try kind.makeBackend(storage, context)
    }
}

struct UnknownStorageKind: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no storage backend '\(name)'" }
}
