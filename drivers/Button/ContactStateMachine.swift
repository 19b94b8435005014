/// Turns the chatter of a contact into states that count.
///
/// Two waits, each with a meaning of its own: with `settle` a state counts once the contact has been quiet for so long,
/// dated back to the first edge of the chatter; with `lockOut` nothing counts for so long after a state that did, and
/// then what the contact is at counts. With both, one follows the other. It works by the edges' own times, so a program
/// that is late comes to the same result.
struct ContactStateMachine {
    enum Report: Equatable {
        /// Without an edge it is found, some time after it happened.
        case changed(isPressed: Bool, at: Duration, isFound: Bool)
        /// A pulse that was too short to count.
        case glitch(at: Duration)
        /// It has chattered for so long that nothing can count.
        case restless
        case calm
    }

    private let settle: Duration
    private let lockOut: Duration
    /// The state that counts.
    private(set) var isPressed: Bool
    /// What the edges say.
    private var isClosed: Bool
    /// When the chatter that goes on began.
    private(set) var chatterBegan: Duration?
    private var lastEdge: Duration = .zero
    /// When `isClosed` counts, if no edge comes before.
    private var counting: Duration?
    /// The level was found to be another one than the edges say: until when the edge that explains it may come.
    private var doubt: Duration?
    private var isFound = false
    private var lockedUntil: Duration = .zero
    private var isRestless = false

    /// How long an edge may be on its way: longer than it takes the board to notice that one is lost (25 ms).
    private static let patience: Duration = .milliseconds(30)
    /// No switch bounces that long: the longest of a study of 18 took 157 ms (Ganssle, "A Guide to Debouncing").
    private static let longestChatter: Duration = .seconds(1)

    init(settle: Duration, lockOut: Duration, isPressed: Bool) {
        self.settle = settle
        self.lockOut = lockOut
        self.isPressed = isPressed
        isClosed = isPressed
    }

    /// When to read the level, if no edge comes before.
    var deadline: Duration? { doubt ?? counting }

    /// Whether the contact may have changed a while ago, and nobody knows when.
    var isInDoubt: Bool { doubt != nil || isFound }

    mutating func edge(isPressed: Bool, at time: Duration) -> [Report] {
        var reports = advance(to: time)
        note(isPressed, at: time)
        reports += advance(to: time)
        if let began = chatterBegan, time - began > max(Self.longestChatter, settle * 10), !isRestless {
            isRestless = true
            reports.append(.restless)
        }
        return reports
    }

    /// The contact reads as this, at the deadline or at any other time without an edge.
    mutating func read(isPressed now: Bool, at time: Duration) -> [Report] {
        guard now != isClosed else {
            doubt = nil
            return advance(to: time)
        }
        guard let end = doubt else {
            doubt = time + Self.patience
            return []
        }
        guard end <= time else { return [] }
        // The edge is lost.
        note(now, at: time)
        isFound = true
        return advance(to: time)
    }

    private mutating func note(_ isClosed: Bool, at time: Duration) {
        self.isClosed = isClosed
        chatterBegan = chatterBegan ?? time
        lastEdge = time
        isFound = false
        doubt = nil
        counting = max(time + settle, lockedUntil)
    }

    /// No edge came up to `time`.
    private mutating func advance(to time: Duration) -> [Report] {
        guard let began = chatterBegan, let end = counting, end <= time else { return [] }
        chatterBegan = nil
        counting = nil
        let isBounce = began < lockedUntil
        var reports: [Report] = isRestless ? [.calm] : []
        isRestless = false
        defer { isFound = false }
        if isClosed == isPressed { return reports + (isBounce ? [] : [.glitch(at: began)]) }
        isPressed = isClosed
        lockedUntil = end + lockOut
        reports.append(.changed(isPressed: isPressed, at: isBounce ? lastEdge : began, isFound: isFound))
        return reports
    }
}
