/// Turns the chatter of a contact into presses: a new state counts once the contact has been quiet for `settle`,
/// and is dated back to the first edge of the chatter.
///
/// What counts at the end of the chatter is the level that is read then, not the last edge that was seen: an
/// edge that got lost cannot leave it stuck.
struct ButtonStateMachine {
    enum Change: Equatable {
        case pressed(at: Duration)
        case released(at: Duration, after: Duration)
    }

    let settle: Duration
    private(set) var isPressed: Bool
    private var pressedAt: Duration
    private var chatterBegan: Duration?

    /// `isPressed` is the state at the start: it is not an event.
    init(settle: Duration, isPressed: Bool, at now: Duration) {
        self.settle = settle
        self.isPressed = isPressed
        pressedAt = now
    }

    /// An edge, in either direction. Returns when to read the level.
    mutating func edge(at time: Duration) -> Duration {
        chatterBegan = chatterBegan ?? time
        return time + settle
    }

    /// The contact has been quiet for `settle` and reads as this.
    mutating func settled(isPressed: Bool) -> Change? {
        defer { chatterBegan = nil }
        guard let began = chatterBegan, isPressed != self.isPressed else { return nil }
        self.isPressed = isPressed
        guard isPressed else { return .released(at: began, after: began - pressedAt) }
        pressedAt = began
        return .pressed(at: began)
    }
}
