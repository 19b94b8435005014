/// When the outbox writes what waits in memory: alerts at once, readings and what has become of deliveries in groups.
struct CommitSchedule: Sendable {
    private let grouping: OutboxSettings.Grouping
    /// How many times longer than usual readings wait: the flash budget is nearly spent.
    var widening = 1

    /// When the ages of records are looked at again.
    var expiry: Duration?

    private var isUrgent = false
    private var readings = 0
    private var firstReading: Duration?
    private var firstSettlement: Duration?

    /// What was delivered is struck off this late, together: if the power goes before, it is delivered again, under
    /// the same name.
    static let settlementTime = Duration.seconds(1)

    init(_ grouping: OutboxSettings.Grouping) { self.grouping = grouping }

    mutating func add(_ recordClass: RecordClass, now: Duration) {
        guard recordClass == .reading else { return isUrgent = true }
        readings += 1
        firstReading = firstReading ?? now
    }

    mutating func addSettlement(now: Duration) { firstSettlement = firstSettlement ?? now }

    /// Something that cannot wait for others.
    mutating func hurry() { isUrgent = true }

    /// When to write: `zero` is at once, `nil` not before something is added.
    var deadline: Duration? {
        if isUrgent || readings >= grouping.records * widening { return .zero }
        return [firstReading.map { $0 + grouping.time * widening }, settlementDeadline, expiry].compactMap { $0 }.min()
    }

    /// When what was delivered is struck off.
    var settlementDeadline: Duration? { firstSettlement.map { $0 + Self.settlementTime } }

    /// All that waits is being written.
    mutating func clear() {
        isUrgent = false
        readings = 0
        firstReading = nil
        firstSettlement = nil
    }
}
