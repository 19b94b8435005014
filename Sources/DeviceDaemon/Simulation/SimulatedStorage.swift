import CaptureStore
import DeviceRuntime
import StorageBackends

/// Stands in for a storage: notes what arrives, and keeps it in a folder.
struct SimulatedStorage: ObjectStorage {
    let name: String
    let arrivals: Protected<[Simulation.Arrival]>
    private let folder: DirectoryBackend

    var destination: String { folder.destination }

    init(name: String, folder: String, arrivals: Protected<[Simulation.Arrival]>, loop: EventLoop) throws {
        self.name = name
        self.arrivals = arrivals
        self.folder = try DirectoryBackend(name: name, path: folder, loop: loop)
    }

    func store(_ object: StoredObject) async throws {
        try await folder.store(object)
        let arrival = Simulation.Arrival(storage: name, path: "\(folder.destination)/\(object.name)")
        arrivals.withLock { $0.append(arrival) }
    }
}
