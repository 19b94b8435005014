/// From a contact's edges to what a person did with the button.
///
/// A lost edge cannot leave it stuck: while the button is down, the level is read again now and then.
struct ButtonStateMachine {
    enum Happening: Equatable {
        case pressed(at: Duration)
        /// `after` is how long it was down; `nil` if it was so at the start.
        case released(at: Duration, after: Duration?)
        case gesture(GestureStateMachine.Gesture)
        /// So many pulses were too short to count.
        case glitched(count: Int, at: Duration)
        /// Whether the contact chatters without end.
        case restless(Bool)
    }

    private var contact: ContactStateMachine
    private var gestures: GestureStateMachine
    private var glitches = GlitchTally()
    private var pressedAt: Duration?
    /// When the level is read again, and how long that was waited for.
    private var check: (at: Duration, after: Duration)?

    private static let firstCheck: Duration = .seconds(1)
    private static let longestCheck: Duration = .seconds(60)

    /// `isPressed` is the state at the start: it is not an event, and its end is no click.
    init(
        settle: Duration, lockOut: Duration = .zero, _ settings: GestureStateMachine.Settings = .init(),
        isPressed: Bool, at now: Duration
    ) {
        contact = ContactStateMachine(settle: settle, lockOut: lockOut, isPressed: isPressed)
        gestures = GestureStateMachine(settings)
        if isPressed { check = (now + Self.firstCheck, Self.firstCheck) }
    }

    var isPressed: Bool { contact.isPressed }

    /// When to wake it, if no edge comes before.
    var deadline: Duration? {
        // What a release that is chattering means is known when it has come to rest.
        let next = contact.deadline.map { [$0] } ?? [gestures.deadline, check?.at].compactMap(\.self)
        return (next + [glitches.deadline].compactMap(\.self)).min()
    }

    mutating func edge(isPressed: Bool, at time: Duration) -> [Happening] {
        let reports = contact.edge(isPressed: isPressed, at: time)
        return take(reports, at: time)
    }

    /// The contact reads as this at the deadline.
    mutating func wake(isPressed: Bool, at time: Duration) -> [Happening] {
        if let last = check, last.at <= time {
            let wait = min(last.after * 2, Self.longestCheck)
            check = (time + wait, wait)
        }
        let reports = contact.read(isPressed: isPressed, at: time)
        var happenings = take(reports, at: time)
        // What is in doubt may have ended already; up to the chatter, if there is one, nothing has changed.
        if !contact.isInDoubt {
            happenings += gestures.advance(to: contact.chatterBegan ?? time).map { .gesture($0) }
        }
        return happenings
    }

    private mutating func take(_ reports: [ContactStateMachine.Report], at time: Duration) -> [Happening] {
        var happenings: [Happening] = []
        for report in reports {
            switch report {
            case .changed(true, let time, let isFound):
                if !isFound { happenings += gestures.pressed(at: time).map { .gesture($0) } }
                happenings.append(.pressed(at: time))
                pressedAt = time
                check = (time + Self.firstCheck, Self.firstCheck)
            case .changed(false, let time, let isFound):
                if isFound { gestures.forget() }
                // A long press that came before the release is told before it, a click after it.
                happenings += gestures.advance(to: time).map { .gesture($0) }
                happenings.append(.released(at: time, after: pressedAt.map { time - $0 }))
                happenings += gestures.released(at: time).map { .gesture($0) }
                pressedAt = nil
                check = nil
            case .glitch: glitches.add()
            case .restless: happenings.append(.restless(true))
            case .calm: happenings.append(.restless(false))
            }
        }
        if let count = glitches.take(at: time) { happenings.append(.glitched(count: count, at: time)) }
        return happenings
    }
}
