/// What a bus's transfers have shown, for the report when it seems stuck.
package struct I2CBusHealth: Sendable {
    private var timeouts = 0
    private var timedOut: Set<I2CAddress> = []
    private var lastWorked: Duration?

    package init() {}

    /// Notes how a transfer ended, `nil` for well. A target that does not acknowledge shows a bus that works.
    package mutating func note(_ code: PeripheralError.Code?, of address: I2CAddress, at now: Duration) {
        switch code {
        case nil, .noAcknowledge, .dataNotAcknowledged, .corrupted:
            timeouts = 0
            timedOut = []
            lastWorked = now
        case .timedOut:
            timeouts += 1
            timedOut.insert(address)
        default: break
        }
    }

    /// The error of a transfer that timed out, with what is known of the bus.
    package func report(_ error: PeripheralError, at now: Duration) -> PeripheralError {
        var error = error
        let addresses = timedOut.sorted().map(\.description).joined(separator: " and ")
        let since =
            lastWorked.map { "the bus last worked \((now - $0).inSeconds) before" } ?? "the bus has not worked yet"
        error.message += "; \(timeouts) transfer\(timeouts == 1 ? "" : "s") in a row did, to \(addresses), and \(since)"
        error.advice =
            timedOut.count > 1 || lastWorked == nil
            ? "a part holds SDA or SCL low, or the bus has no pull-up resistors or is shorted: "
                + "unplug the parts one by one, or take their power away, and both lines must be high at rest"
            : "the part may hold the clock for longer than the bus's timeout: allow it more, take its power away, "
                + "or see whether others on the bus still answer"
        return error
    }
}

extension Duration {
    fileprivate var inSeconds: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
