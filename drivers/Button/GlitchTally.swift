/// Counts what is told together, so that a noisy wire does not fill the disk: the first at once, those that follow a
/// minute later.
struct GlitchTally {
    private var count = 0
    private var lastTold: Duration?

    static let pause: Duration = .seconds(60)

    /// When to tell those that wait.
    var deadline: Duration? { count > 0 ? lastTold.map { $0 + Self.pause } : nil }

    mutating func add() { count += 1 }

    /// How many to tell now, if it is time.
    mutating func take(at time: Duration) -> Int? {
        guard count > 0, deadline.map({ $0 <= time }) ?? true else { return nil }
        defer {
            count = 0
            lastTold = time
        }
        return count
    }
}
