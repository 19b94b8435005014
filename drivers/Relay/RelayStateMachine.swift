/// When a relay switches: not sooner after it switched last than what it switches can bear, and not for longer than
/// it may be on.
///
/// The last order counts: one that has to wait is given up when another one comes.
struct RelayStateMachine {
    enum Order: Equatable {
        case on
        case off
        case toggle
        /// On for that long; anew if it is on already.
        case pulse(Duration)
    }

    enum Change: Equatable {
        case switchedOn
        case switchedOff(after: Duration)
        /// It was on for as long as it may be.
        case cutOff(after: Duration)
    }

    struct Limits: Equatable {
        var minimumOn = Duration.zero
        var minimumOff = Duration.zero
        var longestOn: Duration?
    }

    let limits: Limits
    private(set) var isOn: Bool
    private var since = Duration.zero
    private var wish: Bool
    /// How long it is to be on, from when it comes on.
    private var pulse: Duration?
    private var pulseEnd: Duration?

    /// `isOn` is the safe state.
    init(limits: Limits, isOn: Bool) {
        self.limits = limits
        self.isOn = isOn
        wish = isOn
    }

    /// Whether an order waits for the shortest time to pass.
    var isWaiting: Bool { wish != isOn }

    /// When something changes by itself, if it does: then ``advance(to:)`` is to be called.
    var nextChange: Duration? {
        let turn = isWaiting ? since + (isOn ? limits.minimumOn : limits.minimumOff) : pulseEnd
        let cutOff = isOn ? limits.longestOn.map { since + $0 } : nil
        return [turn, cutOff].compactMap { $0 }.min()
    }

    /// Its line was put to this state, whatever the orders are: when it was opened, or to end. For how long it had been
    /// in it before, nobody knows, so the shortest times begin anew.
    mutating func force(isOn: Bool, at now: Duration) -> Change? {
        let (wasOn, onFor) = (self.isOn, now - since)
        turn(to: isOn, at: now)
        return isOn == wasOn ? nil : isOn ? .switchedOn : .switchedOff(after: onFor)
    }

    mutating func handle(_ order: Order, at now: Duration) {
        pulse = nil
        pulseEnd = nil
        switch order {
        case .on: wish = true
        case .off: wish = false
        case .toggle: wish.toggle()
        case .pulse(let length):
            wish = true
            if isOn { pulseEnd = now + length } else { pulse = length }
        }
    }

    /// The time is now. Returns what is to be done about it.
    mutating func advance(to now: Duration) -> Change? {
        let onFor = now - since
        if isOn, let longest = limits.longestOn, onFor >= longest {
            // Before everything else: it is there for when the rest fails.
            wish = false
            turn(to: false, at: now)
            return .cutOff(after: onFor)
        }
        if let end = pulseEnd, now >= end { wish = false }
        guard isWaiting, onFor >= (isOn ? limits.minimumOn : limits.minimumOff) else { return nil }
        turn(to: wish, at: now)
        return isOn ? .switchedOn : .switchedOff(after: onFor)
    }

    private mutating func turn(to isOn: Bool, at now: Duration) {
        self.isOn = isOn
        since = now
        pulseEnd = isOn ? pulse.map { now + $0 } : nil
        pulse = nil
    }
}
