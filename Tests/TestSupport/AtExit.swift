import DeviceRuntime
import Glibc

/// What has to be undone when the tests' program ends, for what is still there then: a server that a `static` holds sees
/// no `deinit`.
struct AtExit: Sendable {
    private struct Undo: Sendable { let run: @Sendable () -> Void }
    private struct Registry: Sendable {
        var next = 0
        var undos: [Int: Undo] = [:]
    }
    private static let registry: Protected<Registry> = {
        atexit { AtExit.registry.withLock { $0.undos }.sorted { $0.key > $1.key }.forEach { $0.value.run() } }
        return Protected(Registry())
    }()

    private let number: Int

    init(_ undo: @escaping @Sendable () -> Void) {
        number = Self.registry.withLock { registry in
            registry.next += 1
            registry.undos[registry.next] = Undo(run: undo)
            return registry.next
        }
    }

    func forget() { Self.registry.withLock { $0.undos[number] = nil } }
}
