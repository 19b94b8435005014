import CaptureStore
import DeviceRuntime
import SimulatedPeripherals

/// What is around a simulated program besides its board: calendar time, its disk, and the servers of its storages.
final class SimulatedSurroundings: Sendable {
    /// What becomes of an upload.
    enum Answer: String, Sendable, CaseIterable {
        /// The server says 503 until further notice.
        case unavailable = "503"
        /// The server says 400: it will never take this.
        case rejection = "400"
        /// Nobody answers.
        case silence = "nothing"
        /// The server stores it, and the connection breaks before the program is told.
        case lostConfirmation = "lost"
        /// There is no network at all.
        case noNetwork = "no-network"
    }

    private struct State {
        var disk = FaultTable<DiskFault>()
        var setDisk: (@Sendable (DiskFault?) -> Void)?
        var answers: [String: FaultTable<Answer>] = [:]
        var network = FaultTable<Answer>()
    }

    private let clock: SettableClock
    private let state = Protected(State())

    init(loop: EventLoop) { clock = SettableClock(at: Self.start, isRight: true, with: loop) }

    // MARK: Calendar time

    /// What simulated wall clocks show at boot: 2026-01-01T00:00:00Z.
    private static let start = WallTime(sinceEpoch: .seconds(1_767_225_600))

    var wallClock: WallClock { clock.wallClock }

    /// Sets calendar time forward, or back.
    func stepClock(by step: Duration) { clock.set(to: WallTime(sinceEpoch: wallClock.now.sinceEpoch + step)) }

    // MARK: The disk

    func injectDiskFault(_ fault: DiskFault) -> EndOfFault {
        let number = state.withLock { $0.disk.add(fault) }
        applyDiskFault()
        return { [self] in
            state.withLock { $0.disk.remove(number) }
            applyDiskFault()
        }
    }

    /// The program's outbox is there: `set` brings about a fault of its disk.
    func connectDisk(_ set: @escaping @Sendable (DiskFault?) -> Void) {
        state.withLock { $0.setDisk = set }
        applyDiskFault()
    }

    private func applyDiskFault() {
        let (set, fault) = state.withLock { ($0.setDisk, $0.disk.newest) }
        set?(fault)
    }

    // MARK: Servers

    /// Makes the server of a storage answer like this, or with `nil` those of all.
    func injectAnswer(_ answer: Answer, of storage: String?) -> EndOfFault {
        guard let storage else {
            let number = state.withLock { $0.network.add(answer) }
            return { [self] in state.withLock { $0.network.remove(number) } }
        }
        let number = state.withLock { $0.answers[storage, default: FaultTable()].add(answer) }
        return { [self] in state.withLock { $0.answers[storage]?.remove(number) } }
    }

    /// How the server of a storage answers now; `nil` when all is well.
    func answer(of storage: String) -> Answer? {
        state.withLock { $0.network.newest ?? $0.answers[storage]?.newest }
    }
}
