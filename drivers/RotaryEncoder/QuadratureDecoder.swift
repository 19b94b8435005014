/// Turns the two contacts of a rotary encoder into steps.
///
/// Between two detents the contacts close and open one after the other; which comes first tells the direction. Each
/// change of one contact is a part of a step forwards or backwards, so a contact that bounces goes to and fro on the
/// spot, and a step counts only when the next detent is reached.
struct QuadratureDecoder {
    enum Contact: CaseIterable {
        case a
        case b
    }

    private let changesPerStep: Int
    private var isClosed: [Contact: Bool]
    /// Where it stands between two detents.
    private var parts: Int
    private var steps = 0
    /// Changes that must have happened and were not seen.
    private var missed = 0

    /// `changesPerStep` is how many changes lie between two detents: 4, 2 or 1. It begins between two detents if the
    /// contacts say so.
    init(changesPerStep: Int, isClosed: [Contact: Bool]) {
        self.changesPerStep = changesPerStep
        self.isClosed = isClosed
        parts = 0
        // Detents are where both are open; with fewer changes for a step, also further on.
        parts = place(isClosed) % changesPerStep
        if parts == 3 { parts = -1 }
    }

    /// How far along the way around the contacts are, clockwise from both open: A closes first, and opens first.
    private func place(_ isClosed: [Contact: Bool]) -> Int {
        switch (isClosed[.a] ?? false, isClosed[.b] ?? false) {
        case (false, false): 0
        case (true, false): 1
        case (true, true): 2
        case (false, true): 3
        }
    }

    /// A contact closed or opened.
    mutating func change(_ contact: Contact, isClosed: Bool) {
        guard self.isClosed[contact] != isClosed else {
            // It must have changed twice: to and fro, if the other one did nothing meanwhile.
            missed += 1
            return
        }
        let before = place(self.isClosed)
        self.isClosed[contact] = isClosed
        // One contact alone: one place on or one back.
        parts += (place(self.isClosed) - before + 4) % 4 == 1 ? 1 : -1
        if abs(parts) == changesPerStep {
            steps += parts.signum()
            parts = 0
        }
    }

    /// So many changes are known to be missing; those that decide where the contacts are now come as changes.
    mutating func miss(_ count: Int) { missed += count }

    /// The steps since the last time, clockwise ones positive.
    mutating func takeSteps() -> Int {
        defer { steps = 0 }
        return steps
    }

    mutating func takeMissed() -> Int {
        defer { missed = 0 }
        return missed
    }
}

/// A number that is turned up and down.
struct EncoderPosition: Equatable {
    let range: ClosedRange<Int>
    /// Whether it goes on at the other end.
    let wraps: Bool
    private(set) var value: Int

    init(range: ClosedRange<Int>, wraps: Bool) {
        self.range = range
        self.wraps = wraps
        value = min(max(0, range.lowerBound), range.upperBound)
    }

    mutating func set(to value: Int) { self.value = min(max(value, range.lowerBound), range.upperBound) }

    mutating func move(by steps: Int) {
        let (next, count) = (value + steps, range.upperBound - range.lowerBound + 1)
        guard wraps, !range.contains(next) else { return set(to: next) }
        let distance = (next - range.lowerBound) % count
        value = range.lowerBound + (distance < 0 ? distance + count : distance)
    }
}
