public import DeviceRuntime

/// The ways to all backends as one service: when they are stopped, they finish what is under way together, rather than
/// one after the other.
public struct Uploads: Service {
    public let name = "uploads"
    private let uploaders: [Uploader]

    public init(_ uploaders: [Uploader]) { self.uploaders = uploaders }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        // Without any backend there is nothing to do, which is not the end.
        if uploaders.isEmpty { return try await Waiter().wait() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for uploader in uploaders { group.addTask { try await uploader.run(ready: {}) } }
            try await group.waitForAll()
        }
    }
}
