/// Which of a series of occasions a fault takes: from the `first` one on, `count` of them.
public struct FaultOccasions: Sendable, Hashable {
    /// The third write is 3. Less than 1 counts as 1.
    public var first: Int
    /// How many in a row; `nil` for all until the fault ends.
    public var count: Int?

    public init(first: Int = 1, count: Int? = 1) {
        self.first = first
        self.count = count
    }

    /// The next occasion is here: returns whether the fault takes it.
    mutating func takesNext() -> Bool {
        if first > 1 {
            first -= 1
            return false
        }
        guard let left = count else { return true }
        count = max(left - 1, 0)
        return left > 0
    }
}

/// Faults that are in force, each until it is ended.
package struct FaultTable<Fault: Sendable>: Sendable {
    private var entries: [(number: UInt64, fault: Fault)] = []
    private var last: UInt64 = 0

    package init() {}

    package mutating func add(_ fault: Fault) -> UInt64 {
        last += 1
        entries.append((last, fault))
        return last
    }

    package mutating func remove(_ number: UInt64) { entries.removeAll { $0.number == number } }

    package var newest: Fault? { entries.last?.fault }

    /// What `body` makes of each, in the order in which they came into force.
    package mutating func forEach(_ body: (inout Fault) -> Void) {
        for index in entries.indices { body(&entries[index].fault) }
    }
}

/// Ends a fault. Once it has ended, or where it was momentary, it does nothing.
public typealias EndOfFault = @Sendable () -> Void
