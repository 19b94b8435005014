import DeviceRuntime
import Peripherals

/// Who has a peripheral open. Exclusive, as on the real board: the second to ask is told who has it, unless both want to
/// share it in the same way.
public final class Ownership: Sendable {
    private struct State {
        /// By their openings.
        var holders: [UInt64: String] = [:]
        var sharing: SPIConfiguration?
        var opening: UInt64 = 0
        var refusals = FaultTable<PeripheralError>()

        var holder: String? { holders.min { $0.key < $1.key }?.value }
    }

    private let what: String
    private let state = Protected(State())

    init(of what: String) { self.what = what }

    // MARK: Other processes, and permissions

    /// Another process opens it, and has it until what is returned is called. Throws `busy` if it is open.
    @discardableResult
    public func hold(by process: String) throws -> EndOfFault {
        let opening = try take(by: process)
        return { [self] in _ = release(opening) }
    }

    /// The process may not open it until what is returned is called. What is open stays so.
    public func deny() -> EndOfFault {
        let error = PeripheralError(
            .permissionDenied, "\(what) cannot be opened", cause: "EACCES (13)",
            advice: "add the user to the group that may, or add a udev rule")
        let number = state.withLock { $0.refusals.add(error) }
        return { [self] in state.withLock { $0.refusals.remove(number) } }
    }

    // MARK: The program's side

    /// Takes it, and returns a number that stands for this opening.
    func take(by consumer: String, sharing: SPIConfiguration? = nil) throws -> UInt64 {
        try state.withLock { state in
            if let error = state.refusals.newest { throw error }
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
