public import DeviceRuntime

/// The ways to all backends as one service: when they are stopped, they finish what is under way together, rather than
/// one after the other.
public struct Uploads: Service {
    public let name = "uploads"
    private let uploaders: [Uploader]

    public init(_ uploaders: [Uploader]) { self.uploaders = uploaders }

    /// What has come of them since the daemon started, by the backend's name.
    public func tallies() async -> [String: UploadTally] {
        var tallies: [String: UploadTally] = [:]
        for uploader in uploaders { tallies[uploader.backend.name] = await uploader.tally }
        return tallies
    }

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
