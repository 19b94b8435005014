import DeviceRuntime
import Peripherals

/// Who has a peripheral open. Exclusive, as on the real board: the second to ask is told who has it.
final class Ownership: Sendable {
    private struct State {
        var holder: String?
        var opening: UInt64 = 0
    }

    private let what: String
    private let state = Protected(State())

    init(of what: String) { self.what = what }

    /// Takes it, and returns a number that stands for this opening.
    func take(by consumer: String) throws -> UInt64 {
        try state.withLock { state in
            if let holder = state.holder {
                throw PeripheralError(.busy, "\(what) is held by '\(holder)'", advice: "free it or choose another")
            }
            state.holder = consumer
            state.opening += 1
            return state.opening
        }
    }

    /// Who has it.
    var holder: String? { state.withLock { $0.holder } }

    /// Whether this opening still holds it.
    func isHeld(_ opening: UInt64) -> Bool { state.withLock { $0.holder != nil && $0.opening == opening } }

    /// Throws `closed` when this opening was released.
    func check(_ opening: UInt64) throws {
        guard isHeld(opening) else { throw PeripheralError(.closed, "\(what) was closed") }
    }

    /// Gives it back; returns whether it was held by this opening.
    func release(_ opening: UInt64) -> Bool {
        state.withLock { state in
            guard state.holder != nil, state.opening == opening else { return false }
            state.holder = nil
            return true
        }
    }
}
