/// How many commands may come from outside: a few at once, then a few each second. Whoever sends more is broken or
/// means ill, and a servo has better to do.
struct CommandLimit: Sendable {
    /// At once.
    static let burst = 20.0
    /// Each second, from then on.
    static let rate = 5.0

    private var left = burst
    private var time: Duration = .zero

    /// Whether a command may be carried out that comes now.
    mutating func take(now: Duration) -> Bool {
        left = min(Self.burst, left + (now - time) / .seconds(1) * Self.rate)
        time = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
