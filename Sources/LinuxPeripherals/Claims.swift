internal import DeviceRuntime
internal import Peripherals

/// Who in this process holds what, for the interfaces where the kernel lets several have it: I2C addresses, SPI
/// targets and PWM channels. (GPIO lines are exclusive in the kernel.)
final class Claims: Sendable {
    private struct Holding {
        let holder: String
        /// How it is held, if it can be shared.
        let sharing: SPIConfiguration?
        /// How many hold it like this.
        var count = 1
    }

    private let holdings = Protected<[String: Holding]>([:])

    /// Throws `busy` with the holder's name, unless it is held in a way that allows it to be shared in the same way.
    func claim(_ name: String, for consumer: String, sharing: SPIConfiguration? = nil) throws -> Claim {
        let holder: String? = holdings.withLock { holdings in
            guard let holding = holdings[name] else {
                holdings[name] = Holding(holder: consumer, sharing: sharing)
                return nil
            }
            guard let held = holding.sharing, let sharing, held.shares(with: sharing) else { return holding.holder }
            holdings[name]?.count += 1
            return nil
        }
        if let holder {
            throw PeripheralError(
                .busy, "\(name) is held by '\(holder)'", advice: "it can have one user: free it or choose another")
        }
        return Claim { [holdings] in
            holdings.withLock { holdings in
                holdings[name]?.count -= 1
                if holdings[name]?.count == 0 { holdings[name] = nil }
            }
        }
    }
}

/// Ends when it is released or let go of, whichever comes first.
final class Claim: Sendable {
    private let action: OneTimeAction

    init(_ release: @escaping @Sendable () -> Void) { action = OneTimeAction(release) }

    deinit { release() }

    func release() { action.run() }
}
