internal import CSystemd

/// Tells systemd how the service does (`sd_notify(3)`). Without systemd every call does nothing.
public struct ServiceManager: Sendable {
    public init() {}

    public func ready(_ status: String) { notify("READY=1\nSTATUS=\(status)") }
    /// The configuration is being read again; ``ready(_:)`` ends it.
    public func reloading() {
        let now = EventLoop.monotonicNow().components
        notify("RELOADING=1\nMONOTONIC_USEC=\(now.seconds * 1_000_000 + now.attoseconds / 1_000_000_000_000)")
    }
    public func stopping() { notify("STOPPING=1\nSTATUS=stopping") }
    public func status(_ status: String) { notify("STATUS=\(status)") }

    private func notify(_ state: String) { sd_notify(0, state) }

    /// Feeds systemd's watchdog from the loop, at half its interval, until cancelled. A loop that no longer
    /// turns stops feeding it, and systemd restarts the service.
    public func feedWatchdog(on clock: any MonotonicClock) async throws {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
        while true {
            notify("WATCHDOG=1")
            try await clock.sleep(for: .microseconds(microseconds / 2))
        }
    }
}
