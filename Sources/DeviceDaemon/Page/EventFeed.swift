import DeviceRuntime
import WebServing

/// What happens, as it happens, for one viewer (server-sent events, WHATWG HTML 9.2).
struct EventFeed: Sendable {
    private let site: ControlSite

    init(_ site: ControlSite) { self.site = site }

    /// A connection whose other side has silently gone is found so, and proxies keep one that is not idle.
    private static let pulse: Duration = .seconds(15)

    /// Tells until the viewer goes. One who is slow misses something, and is told how much; nobody waits for them.
    func serve(_ exchange: WebExchange) async throws {
        let stream = WebStream(headers: WebResponse("text/event-stream", []).headers)
        let told = Protected(0)
        let observation = site.daemon.devices.observe { change in
            guard let json = change.news else { return }
            let missed = stream.missed - told.withLock { $0 }
            if missed > 0, stream.write("event: missed\ndata: \(missed)\n\n") { told.withLock { $0 = stream.missed } }
            stream.write("data: \(json)\n\n")
        }
        defer {
            observation.cancel()
            stream.end()
        }
        // A daemon that is started again is back within seconds.
        stream.write("retry: 2000\n\n")
        exchange.answer(stream)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await stream.waitUntilGone() }
            group.addTask {
                while true {
                    try await site.loop.sleep(for: Self.pulse)
                    stream.write(":\n\n")
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

extension DeviceDirectory.Change {
    /// What viewers are told: what `perch events` tells, and what looks different now.
    fileprivate var news: JSONText? {
        switch self {
        case .devices: .object(["devices": .flag(true)])
        default: json
        }
    }
}
