import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

/// One try of a behaviour at a site. The backend talks to the fake, which hands on to the site's real server, so that
/// every server can be made to misbehave.
final class StorageBench: Sendable {
    let site: StorageSite
    let loop: EventLoop
    let fake: FakeStorage
    let directory: TemporaryDirectory
    /// The names of this try begin with it: the real servers are shared.
    private let prefix: String

    init(
        _ site: StorageSite, loop: EventLoop, authority: TestAuthority? = nil, wantsClients: Bool = false
    ) throws {
        self.site = site
        self.loop = loop
        directory = try TemporaryDirectory()
        fake = try FakeStorage(authority: authority, wantsClients: wantsClients, upstream: site.upstream())
        prefix = "try-" + String(UInt64.random(in: 1 << 60 ... .max), radix: 36)
        try Site.prepareServiceAccount(of: fake)
    }

    /// Short deadlines, so that a behaviour that waits for one is shown soon.
    static let patient = ConnectionSettings(deadlines: TransferDeadlines(total: .seconds(60)))
    static let impatient = ConnectionSettings(deadlines: TransferDeadlines(total: .milliseconds(700)))

    func backend(
        _ connection: ConnectionSettings = StorageBench.patient, rightLogin: Bool = true,
        wallClock: WallClock? = nil
    ) throws -> any ObjectStorage {
        var setup = StorageSite.Setup(url: fake.url, connection: connection, folder: directory.path, loop: loop)
        setup.hasRightLogin = rightLogin
        setup.wallClock = wallClock
        return try site.makeBackend(setup)
    }

    func document(_ name: String, _ text: String = "{\"id\":1}") -> StoredObject {
        StoredObject(name: "\(prefix)/\(name)", mediaType: "application/json", body: .bytes(Array(text.utf8)))
    }

    /// A picture in a file, with a content that hardly repeats itself: a block that no power of two divides.
    func picture(_ name: String, size: Int) throws -> (object: StoredObject, bytes: [UInt8]) {
        var generator = SystemRandomNumberGenerator()
        let block = (0..<4099).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + block.count)
        while bytes.count < size { bytes += block }
        bytes.removeLast(bytes.count - size)
        let path = "\(directory.path)/\(name.replacing("/", with: "-"))"
        try write(bytes, to: path)
        let object = StoredObject(
            name: "\(prefix)/\(name)", mediaType: "image/png", body: .file(path: path, size: size))
        return (object, bytes)
    }

    /// What the server has.
    func content(_ object: StoredObject) throws -> [UInt8]? { try site.content(object.name, fake) }

    /// Lets requests that match meet a fault: `once("PUT", #""status":503"#)`.
    func fault(_ pattern: String, _ fault: String, times: Int = 1, after: Int = 0) throws {
        let pattern = pattern.replacing("\\", with: "\\\\")
        try fake.set(#"{"faults":[{"on":"\#(pattern)","times":\#(times),"after":\#(after),\#(fault)}]}"#)
    }

    /// The requests that match, each with its answer's status.
    func requests(_ pattern: String) throws -> [String] {
        let pattern = try Regex(pattern)
        return try fake.requests().filter { $0.contains(pattern) }
    }
}

/// Stores an object and returns the error; `nil` when there was none.
func failure(_ backend: any ObjectStorage, _ object: StoredObject) async throws -> StorageError? {
    do {
        try await backend.store(object)
        return nil
    } catch let error as StorageError {
        return error
    }
}

/// What a behaviour needs to be true. Throws, so that the table knows.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw NotShown(description: message()) }
}

/// The error of what has to fail.
func expectFailure(_ backend: any ObjectStorage, _ object: StoredObject) async throws -> StorageError {
    guard let error = try await failure(backend, object) else {
        throw NotShown(description: "storing \(object.name) succeeded")
    }
    return error
}

struct NotShown: Error, CustomStringConvertible {
    let description: String
}
