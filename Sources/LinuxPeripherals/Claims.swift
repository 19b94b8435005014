internal import DeviceRuntime
internal import Peripherals

/// Who in this process holds what, for the interfaces where the kernel lets several have it: I2C addresses, SPI
/// targets and PWM channels. (GPIO lines are exclusive in the kernel.)
final class Claims: Sendable {
    private let holders = Protected<[String: String]>([:])

    /// Throws `busy` with the holder's name.
    func claim(_ name: String, for consumer: String) throws -> Claim {
        let holder: String? = holders.withLock { holders in
            if let holder = holders[name] { return holder }
            holders[name] = consumer
            return nil
        }
        if let holder {
            throw PeripheralError(
                .busy, "\(name) is held by '\(holder)'", advice: "it can have one user: free it or choose another")
        }
        return Claim { [holders] in holders.withLock { $0[name] = nil } }
    }
}

/// Ends when it is released or let go of, whichever comes first.
final class Claim: Sendable {
    private let action: Protected<(@Sendable () -> Void)?>

    init(_ release: @escaping @Sendable () -> Void) { action = Protected(release) }

    deinit { release() }

    func release() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
