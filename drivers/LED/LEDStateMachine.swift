/// What an LED is meant to do over time.
struct LEDStateMachine {
    enum Order: Equatable {
        case on
        case off
        /// Off if it is lit or blinks, and on otherwise.
        case toggle
        /// Ends dark after that many times; without a number it goes on until something else is ordered.
        case blink(on: Duration, off: Duration, times: Int?)
    }

    private struct Blink {
        let on: Duration
        let off: Duration
        var timesLeft: Int?
        var phaseEnd: Duration
    }

    private(set) var isLit = false
    private var blink: Blink?

    var isBlinking: Bool { blink != nil }

    /// When something changes by itself, if it does: then ``advance(to:)`` is to be called.
    var nextChange: Duration? { blink?.phaseEnd }

    mutating func handle(_ order: Order, at now: Duration) {
        let wasBlinking = isBlinking
        blink = nil
        switch order {
        case .on: isLit = true
        case .off: isLit = false
        case .toggle: isLit = !isLit && !wasBlinking
        case .blink(let on, let off, let times):
            isLit = true
            blink = Blink(on: on, off: off, timesLeft: times, phaseEnd: now + on)
        }
    }

    /// After a time in which nothing could be shown: what was missed stays missed, and the rest goes on from now.
    mutating func resume(at now: Duration) {
        if let end = blink?.phaseEnd { blink?.phaseEnd = max(end, now) }
    }

    /// The time is now. Returns whether a blinking that had a number of times came to its end.
    ///
    /// Phases follow each other from the first one on, however late the call is, so lateness does not add up.
    mutating func advance(to now: Duration) -> Bool {
        while var blink, blink.phaseEnd <= now {
            isLit.toggle()
            if !isLit, let times = blink.timesLeft {
                guard times > 1 else {
                    self.blink = nil
                    return true
                }
                blink.timesLeft = times - 1
            }
            blink.phaseEnd += isLit ? blink.on : blink.off
            self.blink = blink
        }
        return false
    }
}
