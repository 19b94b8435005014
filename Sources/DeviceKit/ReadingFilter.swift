/// Which readings of a part are told: those that differ enough from the one that was told last, and one at least every
/// so often.
///
/// What counts is the reading that was told, not the one before: a value that creeps is told too.
public struct ReadingFilter: Sendable {
    private let changes: [Double]
    private let longestSilence: Duration
    private var told: (values: [Double?], time: Duration)?

    /// `changes` has, for each value of a reading, how much it must differ; the changes of a value with zero do not
    /// count. With zero for all of them every reading is told.
    public init(changes: [Double], atLeastEvery longestSilence: Duration) {
        self.changes = changes
        self.longestSilence = longestSilence
    }

    /// Whether to tell the values that were read at `time`; `nil` stands for one that is not there. One that was not
    /// there before, or is not any more, is a change. `isAsked` tells them in any case.
    public mutating func shouldTell(_ values: [Double?], at time: Duration, isAsked: Bool = false) -> Bool {
        guard isAsked || isNews(values, at: time) else { return false }
        told = (values, time)
        return true
    }

    private func isNews(_ values: [Double?], at time: Duration) -> Bool {
        guard let told, time - told.time < longestSilence, changes.contains(where: { $0 > 0 }) else { return true }
        return zip(changes, zip(values, told.values)).contains { change, pair in
            guard change > 0 else { return false }
            guard let (new, old) = both(pair) else { return pair.0 != pair.1 }
            return abs(new - old) >= change
        }
    }

    private func both(_ pair: (Double?, Double?)) -> (Double, Double)? {
        if let first = pair.0, let second = pair.1 { (first, second) } else { nil }
    }
}
