import DeviceRuntime
import Peripherals

/// Who has a peripheral open. Exclusive, as on the real board: the second to ask is told who has it, unless both want to
/// share it in the same way.
final class Ownership: Sendable {
    private struct State {
        /// By their openings.
        var holders: [UInt64: String] = [:]
        var sharing: SPIConfiguration?
        var opening: UInt64 = 0

        var holder: String? { holders.min { $0.key < $1.key }?.value }
    }

    private let what: String
    private let state = Protected(State())

    init(of what: String) { self.what = what }

    /// Takes it, and returns a number that stands for this opening.
    func take(by consumer: String, sharing: SPIConfiguration? = nil) throws -> UInt64 {
        try state.withLock { state in
            if let holder = state.holder {
                guard let held = state.sharing, let sharing, held.shares(with: sharing) else {
                    throw PeripheralError(.busy, "\(what) is held by '\(holder)'", advice: "free it or choose another")
                }
            }
            state.sharing = sharing
            state.opening += 1
            state.holders[state.opening] = consumer
            return state.opening
        }
    }

    /// Who has it; of several the first.
    var holder: String? { state.withLock { $0.holder } }

    /// Whether this opening still holds it.
    func isHeld(_ opening: UInt64) -> Bool { state.withLock { $0.holders[opening] != nil } }

    /// Throws `closed` when this opening was released.
    func check(_ opening: UInt64) throws {
        guard isHeld(opening) else { throw PeripheralError(.closed, "\(what) was closed") }
    }

    /// Gives it back; returns whether it was held by this opening.
    func release(_ opening: UInt64) -> Bool { state.withLock { $0.holders.removeValue(forKey: opening) != nil } }
}
