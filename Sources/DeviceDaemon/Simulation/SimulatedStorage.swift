import CaptureStore
import DeviceRuntime
import StorageBackends

/// Stands in for a storage: notes what arrives, and keeps it in a folder if there is one.
struct SimulatedStorage: StorageBackend {
    let name: String
    /// Without the folder's path, which differs from run to run and would stand in the trace.
    let destination: String
    let batchLimit = 1
    let takesFilesApart = true
    private let folder: DirectoryBackend?
    private let surroundings: SimulatedSurroundings
    private let loop: EventLoop
    private let arrived: @Sendable (Simulation.Arrival) -> Void

    /// How long a client waits while nothing moves: as the HTTP backend does (docs/storage.md).
    private static let patience: Duration = .seconds(30)

    init(
        name: String, folder: String?, surroundings: SimulatedSurroundings, loop: EventLoop,
        arrived: @escaping @Sendable (Simulation.Arrival) -> Void
    ) throws {
        self.name = name
        destination = "simulated storage \(name)"
        self.folder = try folder.map { try DirectoryBackend(name: name, path: $0, loop: loop) }
        self.surroundings = surroundings
        self.loop = loop
        self.arrived = arrived
    }

    func store(_ records: [StoredRecord]) async throws {
        let answer = surroundings.answer(of: name)
        switch answer {
        case .noNetwork: throw temporary("cannot be reached: the network is down")
        case .unavailable: throw temporary("answers 503: it is overloaded or in maintenance")
        case .rejection: throw StorageError(.permanent, "\(destination) answers 400: it does not accept the object")
        case .silence:
            try await loop.sleep(for: Self.patience)
            throw temporary("did not answer in \(Self.patience.components.seconds) s")
        case .lostConfirmation, nil: break
        }
        for record in records {
            if let folder { try await folder.store([record]) }
            arrived(Simulation.Arrival(storage: name, folder: folder?.destination, record: record))
        }
        if answer == .lostConfirmation { throw temporary("broke the connection off before it confirmed") }
    }

    private func temporary(_ text: String) -> StorageError {
        StorageError(.temporary(retryAfter: nil), "\(destination) \(text)")
    }
}
