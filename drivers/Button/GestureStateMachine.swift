/// What presses mean: clicks, several in a row, a long press, a repetition. A press is one of them only.
struct GestureStateMachine {
    struct Settings: Equatable {
        /// How many clicks in a row are told as one at most; with 0 none are told.
        var clicks = 0
        /// How long after a click the next one may begin.
        var clickGap: Duration = .milliseconds(300)
        /// From when on a press is a long one.
        var longPress: Duration?
        /// How long between two repetitions while it is held.
        var repeatEvery: Duration?
        /// From when on it repeats.
        var repeatAfter: Duration = .milliseconds(500)
    }

    enum Gesture: Equatable {
        case clicked(times: Int, at: Duration)
        case longPressed(at: Duration)
        /// `count` is 1 for the first repetition of a press.
        case repeated(count: Int, at: Duration)
    }

    private let settings: Settings
    private var pressedAt: Duration?
    /// The press is a gesture already, and its end is none.
    private var isSpent = false
    private var isLong = false
    private var repetitions = 0
    private var nextRepetition: Duration?
    /// Clicks that may be followed by another one, and when the last of them ended.
    private var clicks = 0
    private var lastClick: Duration = .zero

    init(_ settings: Settings) { self.settings = settings }

    /// When something becomes a gesture, if nothing happens before.
    var deadline: Duration? { [longPressDue, nextRepetition, clicksDue].compactMap(\.self).min() }

    private var longPressDue: Duration? {
        guard let pressedAt, !isLong, let wait = settings.longPress else { return nil }
        return pressedAt + wait
    }

    private var clicksDue: Duration? { clicks > 0 && pressedAt == nil ? lastClick + settings.clickGap : nil }

    mutating func pressed(at time: Duration) -> [Gesture] {
        let gestures = advance(to: time)
        pressedAt = time
        (isSpent, isLong, repetitions) = (false, false, 0)
        nextRepetition = settings.repeatEvery.map { _ in time + settings.repeatAfter }
        return gestures
    }

    mutating func released(at time: Duration) -> [Gesture] {
        var gestures = advance(to: time)
        guard pressedAt != nil else { return gestures }
        pressedAt = nil
        nextRepetition = nil
        guard !isSpent, settings.clicks > 0 else { return gestures }
        clicks += 1
        lastClick = time
        // With no more to wait for it is told at once.
        if clicks == settings.clicks { gestures += tellClicks() }
        return gestures
    }

    /// The press has ended, and nobody knows when: it is nothing.
    mutating func forget() {
        pressedAt = nil
        nextRepetition = nil
    }

    /// Nothing happened up to `time`.
    mutating func advance(to time: Duration) -> [Gesture] {
        var gestures: [Gesture] = []
        while let due = deadline, due <= time {
            if due == clicksDue {
                gestures += tellClicks()
            } else if due == longPressDue {
                gestures += spend()
                isLong = true
                gestures.append(.longPressed(at: due))
            } else {
                gestures += spend()
                repetitions += 1
                gestures.append(.repeated(count: repetitions, at: due))
                // A program that was late does not make up for it.
                nextRepetition = settings.repeatEvery.map { due + $0 * Int((time - due) / $0 + 1) }
            }
        }
        return gestures
    }

    /// The press is no click, so those before it are complete.
    private mutating func spend() -> [Gesture] {
        isSpent = true
        return tellClicks()
    }

    private mutating func tellClicks() -> [Gesture] {
        defer { clicks = 0 }
        return clicks > 0 ? [.clicked(times: clicks, at: lastClick)] : []
    }
}
