/// Makes presses and releases of what is read from the chips' key memory.
///
/// A key that is down is in the memory again after each reading, until it is released; the chip raises its interrupt
/// for a press and for nothing else. So a release is known only to who reads while a key is down.
struct KeyScanStateMachine: Sendable {
    struct Changes: Sendable, Equatable {
        var pressed: [Int] = []
        var released: [Int] = []
    }

    /// Whether somebody reads while keys are down.
    let watchesReleases: Bool
    private(set) var down: Set<Int> = []

    init(watchesReleases: Bool) { self.watchesReleases = watchesReleases }

    /// The keys of one reading, of all chips.
    mutating func handle(_ keys: Set<Int>) -> Changes {
        defer { down = keys }
        let new = keys.subtracting(down)
        if watchesReleases {
            return Changes(pressed: new.sorted(), released: down.subtracting(keys).sorted())
        }
        // There was a press, or nobody would have read: without a new key it was one of those from before.
        return Changes(pressed: (new.isEmpty ? keys : new).sorted())
    }

    /// After the chips were set up anew: what was down may have been released unseen.
    mutating func reset() -> Changes {
        defer { down = [] }
        return Changes(released: watchesReleases ? down.sorted() : [])
    }
}
