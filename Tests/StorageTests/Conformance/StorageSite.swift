import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

/// A backend together with a server that it is tried against: a column of the table in docs/.
struct StorageSite: Sendable, CustomTestStringConvertible {
    /// What a backend of a site is made with.
    struct Setup {
        /// Of the server, without a slash at its end.
        let url: String
        var hasRightLogin = true
        var connection: ConnectionSettings
        var wallClock: WallClock?
        /// For notes of the backend's own.
        let folder: String
        let loop: EventLoop
    }

    enum Trait: Sendable, Hashable {
        /// A name that is taken by another content is refused.
        case keepsTakenNames
        /// What was damaged on its way is noticed.
        case noticesDamage
        /// Requests are only good for a while, by the server's clock.
        case checksTime
        /// What was sent of a large file is not sent again.
        case resumes
    }

    let backend: String
    let server: String
    let traits: Set<Trait>
    /// Which requests bring an object's bytes, and which gives it its name, as regular expressions of "METHOD /path".
    let upload: String
    let commit: String
    /// Why this server in particular does not show a trait.
    var reasons: [Trait: String] = [:]
    /// Whether the object of a behaviour may be so large, in bytes.
    var largest = Int.max
    /// The port of the real server; `nil` when the fake is the server. Started with the first use.
    let upstream: @Sendable () throws -> UInt16?
    let makeBackend: @Sendable (Setup) throws -> any ObjectStorage
    /// What the server has under a name, by another way than the backend's.
    let content: @Sendable (_ name: String, _ fake: FakeStorage) throws -> [UInt8]?

    var testDescription: String { "\(backend), \(server)" }

    /// Why this site does not show what another does.
    func require(_ trait: Trait, else reason: String) throws {
        guard traits.contains(trait) else { throw Unsupported(reason: reasons[trait] ?? reason) }
    }
}

/// This backend or this server does not do that, for a reason that stands in the table.
struct Unsupported: Error {
    let reason: String
}
