import DeviceRuntime
import TestSupport
import Testing

/// Something that every backend does with every server, written once: a row of the table in docs/.
struct StorageBehaviour: Sendable, CustomTestStringConvertible {
    let name: String
    /// Shows it at a site. Throws ``Unsupported`` where a backend or a server does not do such a thing.
    let show: @Sendable (StorageSite, EventLoop) async throws -> Void

    init(_ name: String, _ show: @escaping @Sendable (StorageSite, EventLoop) async throws -> Void) {
        self.name = name
        self.show = show
    }

    var testDescription: String { name }

    /// In the order of the table.
    static let all = arrival + honesty + network + interruption + integrity
}

@Suite("Storage backends and real servers", .serialized, .boundedHang)
struct StorageConformanceTests {
    @Test("What every backend does", arguments: Site.all, StorageBehaviour.all)
    func behaviour(site: StorageSite, behaviour: StorageBehaviour) async throws {
        func tell(_ result: String) { print("storage|\(site.backend)|\(site.server)|\(behaviour.name)|\(result)") }
        do {
            try await EventLoop.run(time: .real) { loop in try await behaviour.show(site, loop) }
            tell("yes")
        } catch let unsupported as Unsupported {
            tell(unsupported.reason)
        } catch {
            tell("FAILED")
            Issue.record("\(site.testDescription): \(behaviour.name): \(error)")
        }
    }
}
