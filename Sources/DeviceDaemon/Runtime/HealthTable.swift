import DeviceRuntime

/// How each device does.
final class HealthTable: Sendable {
    enum Health: Sendable, Hashable {
        case starting
        case healthy
        case failing(String, failures: Int)
    }

    private let table: Protected<[String: Health]>
    private let changed: @Sendable (String) -> Void

    /// `changed` gets a summary whenever it changes.
    init(devices: [String], changed: @escaping @Sendable (String) -> Void) {
        table = Protected(Dictionary(devices.map { ($0, .starting) }, uniquingKeysWith: { first, _ in first }))
        self.changed = changed
    }

    subscript(device: String) -> Health { table.withLock { $0[device] ?? .starting } }

    /// Sets a device's health and returns what it was.
    @discardableResult
    func set(_ device: String, _ health: Health) -> Health {
        let (before, summaries) = table.withLock { table in
            let old = Self.summary(table)
            let before = table.updateValue(health, forKey: device) ?? .starting
            return (before, (old, Self.summary(table)))
        }
        if summaries.0 != summaries.1 { changed(summaries.1) }
        return before
    }

    /// `3 devices running; failing: sign`
    var summary: String { table.withLock { Self.summary($0) } }

    private static func summary(_ table: [String: Health]) -> String {
        let failing = table.filter { if case .failing = $0.value { true } else { false } }.keys.sorted()
        let running = table.values.count { $0 == .healthy }
        return "\(running) of \(table.count) devices running"
            + (failing.isEmpty ? "" : "; failing: \(failing.joined(separator: ", "))")
    }
}
